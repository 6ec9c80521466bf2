---@meta _
-- kart.flags: what surfaces are, by words.

-- --- kart.flags -------------------------------------------------------------------------------

--- Flags as words. The notation is type[/variant][+modifier...]: `road`, `road/dirt+trickable`,
--- `wall/3+light=2`, `0x2020`, `8224`. A type without a variant means variant 0. docs/flags.md lists the
--- names of each game. Flags of "mkagp" have 32 bits: type and variant are surface and off-road. Every function
--- takes the game last, "mkw" if it isn't given; an unknown game raises. Flags of "smo", "smg", "sm3dl" and "mk7" have no names here: they are numbers only.
---@class kart.flags.functions
local flags = {}

--- The flag that a text names. nil and a message, with the name that may have been meant, if there is
--- none.
---
---     prism.flag = assert(kart.flags.parse("road/dirt+trickable", course.game))
---@param text string
---@param game? kart.kcl.game|"mkagp"
---@return integer? flag
---@return string? message
function flags.parse(text, game) end

--- The notation of a flag. It reads back as the same number.
---@param flag integer
---@param game? kart.kcl.game|"mkagp"
---@return string
function flags.format(flag, game) end

--- A flag in words for people: "Road, dirt, trickable".
---@param flag integer
---@param game? kart.kcl.game|"mkagp"
---@return string
function flags.describe(flag, game) end

--- The parts of a flag: `type` and `variant` as in the notation (a variant without a name is its number),
--- and each modifier of the game by its name, true or false, or a number for those that have one. Empty
--- for games without names.
---
---     if kart.flags.fields(prism.flag, course.game).trickable then ... end
---@param flag integer
---@param game? kart.kcl.game|"mkagp"
---@return table<string, string|integer|boolean>
function flags.fields(flag, game) end

--- The types that words name, as bits: bit n for type n; of the arcade games, whose types are bits of flags, these
--- bits. `words` is a text with commas or spaces between them,
--- or a list: types (`road`, the same as `road/*`) and groups of them (`floors`, see `groups`). nil and a
--- message if one isn't known. The engine's own filter knows types only, no variants and no modifiers.
---
---     kart.flags.mask "floors, boost_pad"
---@param words string|string[]
---@param game? kart.kcl.game|"mkagp"
---@return integer? mask
---@return string? message
function flags.mask(words, game) end

---@class kart.flags.variant
--- From 0, as in the flag.
---@field number integer
---@field name string

---@class kart.flags.type
--- From 0, as in the flag.
---@field number integer
---@field name string
--- The name for people, like "Off-road".
---@field title string
--- What it does.
---@field doc string
--- Those that have names.
---@field variants kart.flags.variant[]

--- The types of surfaces that a game has, by number; none for games without names.
---@param game? kart.kcl.game|"mkagp"
---@return kart.flags.type[]
function flags.types(game) end

---@class kart.flags.modifier
---@field name string
--- Its lowest bit.
---@field bit integer
--- Its greatest value; 1 for one that is set or not.
---@field most integer
--- What it does.
---@field doc string

--- What a flag of a game may have besides type and variant, from the lowest bit; none for games without
--- names.
---@param game? kart.kcl.game|"mkagp"
---@return kart.flags.modifier[]
function flags.modifiers(game) end

---@class kart.flags.group
---@field name string
--- Its types, bit n for type n.
---@field mask integer
--- What they have in common.
---@field doc string

--- Types that a game's engine looks for together, as far as that is known.
---@param game? kart.kcl.game|"mkagp"
---@return kart.flags.group[]
function flags.groups(game) end
