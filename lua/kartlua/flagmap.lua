-- What surfaces of one game are in another one: data for kartlua/convert.lua. Change it, or give `kart.convert` rules
-- of your own (`kartlua convert --flags FILE`), which count before what stands here.
--
-- A row is a kind of surface: its name, the kind that it is taken for where a game hasn't got it (`like`; none: it is
-- left out there, as it is no ground and no wall), and, by game, the names that are read as this kind, in the notation
-- of kartlua/flags.lua. A name without a variant is variant 0, "/*" leaves the variant open. Of several names that fit
-- a flag the one counts that says most: so "off_road/*" catches what has no row of its own. The first name of a column
-- is the one that is written; where it ends in "/*", the variant stays. All that ends up at `road` is a floor, all that
-- ends up at `wall` a wall.
--
-- Which kinds are the same is our judgement by what the names say: whether it slows, how much, how slippery, then what
-- it is made of. Mario Kart 8 Deluxe has the names of Mario Kart 8.
local kinds = {
   -- Ground at full speed.
   { "road", mkw = "road, road/*, road_2/*", mk8 = "road_1, road_1/*, road_2/*, road_3/*, road_4/*",
      mkds = "road+is_floor, road/*, loop_road/*, *+is_floor", mkagp = "default, none, *" },
   { "road_dirt", like = "road", mkw = "road/dirt, road/dirt_no_gfx, road_2/dirt", mk8 = "road_2/dirt_small",
      mkagp = "dirt" },
   { "road_wood", like = "road", mkw = "road/wood", mk8 = "road_1/wood, road_4/wood_board", mkagp = "wood" },
   { "road_snow", like = "road", mkw = "road/snow" },
   { "road_metal_grid", like = "road", mkw = "road/metal_grate", mk8 = "road_1/metal_mesh",
      mkagp = "metal_grid" },
   { "road_metal", like = "road_metal_grid", mk8 = "road_1/metal_plate", mkagp = "metal" },
   { "road_carpet", like = "road", mkw = "road_2/carpet",
      mk8 = "road_1/carpet, road_3/carpet, road_3/carpet_2, road_3/cloth" },
   { "road_grass", like = "road", mkw = "road_2/grass, road_2/grass_2", mk8 = "road_2/grass, road_2/grass_small",
      mkagp = "grass" },
   { "road_glass", like = "road", mkw = "road_2/glass", mk8 = "road_2/glass, road_4/rainbow_glass" },
   { "road_stone", like = "road", mk8 = "road_1/stone", mkagp = "tile" },
   { "road_rotating", like = "road", mkw = "rotating_road/*" },
   { "road_moving", like = "road", mkw = "moving_road, moving_road/*", mk8 = "moving_terrain, moving_terrain/*" },
   { "road_sticky", like = "road", mkw = "sticky_road/road, sticky_road/*",
      mk8 = "road_1+high_gravity, road_1/*+high_gravity, road_2/*+high_gravity, road_3/*+high_gravity, "
         .. "road_4/*+high_gravity", mkds = "sticky_road+is_floor, sticky_road/*" },

   -- Full speed, little grip.
   { "loose_sand", like = "road", mkw = "slippery_road, slippery_road/*", mk8 = "sand, sand/*",
      mkds = "slippery_road+is_floor, slippery_road/*", mkagp = "sand" },
   { "loose_dirt", like = "loose_sand", mkw = "slippery_road/dirt, slippery_road/dirt_no_gfx",
      mk8 = "sand/dirt_small, sand/muddy_small" },
   { "loose_snow", like = "loose_sand", mkw = "slippery_road/snow", mk8 = "sand/snow_small" },
   { "loose_grass", like = "loose_sand", mkw = "slippery_road/grass" },
   { "loose_water", like = "loose_sand", mkw = "slippery_road/water", mkagp = "water" },
   { "ice", like = "road", mkw = "slippery_road_2, slippery_road_2/*", mk8 = "slippery_road, slippery_road/*",
      mkds = "slippery_road_2+is_floor, slippery_road_2/*", mkagp = "ice, ice/*" },
   { "ice_mud", like = "ice", mkw = "slippery_road_2/mud" },
   { "ice_water", like = "ice", mkw = "slippery_road_2/water", mk8 = "slippery_road/water" },

   -- Slows a little.
   { "weak_dirt", like = "road", mkw = "weak_off_road/dirt, weak_off_road/*",
      mk8 = "weak_off_road/dirt, weak_off_road/*", mkds = "weak_off_road+is_floor, weak_off_road/*",
      mkagp = "dirt/light, default/light, none/light, metal_grid/light, metal/light, tile/light" },
   { "weak_sand", like = "weak_dirt", mkw = "weak_off_road", mk8 = "weak_off_road", mkagp = "sand/light" },
   { "weak_grass", like = "weak_dirt", mkw = "weak_off_road/light_grass, weak_off_road/dark_grass",
      mk8 = "weak_off_road/grass_small", mkagp = "grass/light" },
   { "weak_water", like = "weak_dirt", mkw = "weak_off_road/water", mk8 = "weak_off_road/water",
      mkagp = "water/light" },
   { "weak_carpet", like = "weak_dirt", mkw = "weak_off_road/carpet", mk8 = "weak_off_road/carpet" },
   { "weak_gravel", like = "weak_dirt", mkw = "weak_off_road/gravel, weak_off_road/gravel_2",
      mk8 = "weak_off_road/rock" },
   { "weak_wood", like = "weak_dirt", mk8 = "weak_off_road/wood", mkagp = "wood/light" },

   -- Slows.
   { "off_dirt", like = "weak_dirt", mkw = "off_road/dirt, off_road/*", mk8 = "off_road/dirt, off_road/*, off_road_2/*",
      mkds = "off_road+is_floor, off_road/*",
      mkagp = "dirt/medium, default/medium, none/medium, wood/medium, metal_grid/medium, metal/medium, tile/medium" },
   { "off_sand", like = "off_dirt", mkw = "off_road, off_road/light_sand", mk8 = "off_road", mkagp = "sand/medium" },
   { "off_mud", like = "off_dirt", mkw = "off_road/mud", mk8 = "off_road/muddy" },
   { "off_water", like = "off_dirt", mkw = "off_road/water_no_gfx", mk8 = "off_road/water", mkagp = "water/medium" },
   { "off_grass", like = "off_dirt", mkw = "off_road/grass", mk8 = "off_road/grass", mkagp = "grass/medium" },
   { "off_gravel", like = "off_dirt", mkw = "off_road/gravel", mk8 = "off_road/rock, off_road_2/stone" },
   { "off_carpet", like = "off_dirt", mkw = "off_road/carpet" },
   { "off_snow", like = "off_dirt", mk8 = "off_road/snow" },

   -- Slows much.
   { "heavy_dirt", like = "off_dirt", mkw = "heavy_off_road/dirt, heavy_off_road/*",
      mk8 = "heavy_off_road/dirt, heavy_off_road/*", mkds = "heavy_off_road+is_floor, heavy_off_road/*",
      mkagp = "dirt/heavy, default/heavy, none/heavy, wood/heavy, metal_grid/heavy, metal/heavy, tile/heavy, "
         .. "water/heavy" },
   { "heavy_sand", like = "heavy_dirt", mkw = "heavy_off_road, heavy_off_road/sand_2", mk8 = "heavy_off_road",
      mkagp = "sand/heavy" },
   { "heavy_mud", like = "heavy_dirt", mkw = "heavy_off_road/mud" },
   { "heavy_grass", like = "heavy_dirt", mkw = "heavy_off_road/grass", mk8 = "heavy_off_road/grass",
      mkagp = "grass/heavy" },
   { "heavy_flowers", like = "heavy_grass", mkw = "heavy_off_road/flowers" },
   { "heavy_snow", like = "heavy_dirt", mkw = "heavy_off_road/snow", mk8 = "heavy_off_road/snow" },

   -- What does something to karts.
   { "boost_pad", like = "road", mkw = "boost_pad, boost_pad/*", mk8 = "dash, dash/*",
      mkds = "boost_pad+is_floor, boost_pad/*, boost_pad_2/*" },
   { "boost_ramp", like = "boost_pad", mkw = "boost_ramp, boost_ramp/*", mk8 = "dash+trickable, dash/*+trickable" },
   { "glider_panel", like = "boost_ramp", mk8 = "glider_panel, glider_panel/*" },
   { "gravity_panel", like = "road", mk8 = "gravity_panel, gravity_panel/*" },
   { "jump_pad", like = "road", mkw = "jump_pad, jump_pad/*", mkds = "jump_pad+is_floor, jump_pad/*" },
   { "half_pipe_ramp", like = "road", mkw = "half_pipe_ramp, half_pipe_ramp/*" },
   { "stream", like = "weak_water", mkw = "moving_water, moving_water/*", mk8 = "pull, pull/*",
      mkds = "falls_water+is_floor, falls_water/*" },

   -- Walls.
   { "wall", mkw = "wall, wall/*, wall_2/*", mk8 = "wall_1, wall_1/*, wall_2/*, wall_3/*, lwall/*, bwall/*",
      mkds = "wall+is_wall, wall/*, wall_3/*, edge_wall/*, *+is_wall" },
   { "wall_rock", like = "wall", mkw = "wall/rock, wall_2/rock", mk8 = "wall_1/cliff" },
   { "wall_metal", like = "wall", mkw = "wall/metal, wall_2/metal", mk8 = "wall_1/metal, lwall/metal" },
   { "wall_wood", like = "wall", mkw = "wall/wood, wall_2/wood", mk8 = "wall_1/wood" },
   { "wall_ice", like = "wall", mkw = "wall/ice, wall_2/ice", mk8 = "wall_1/ice" },
   { "wall_snow", like = "wall_ice", mk8 = "wall_1/snow" },
   { "wall_bush", like = "wall", mkw = "wall/bush, wall_2/bush",
      mk8 = "bwall/bush, bwall/leaf, wall_1/ivy, wall_3/leaf" },
   { "wall_rope", like = "wall", mkw = "wall/rope, wall_2/rope" },
   { "wall_rubber", like = "wall", mkw = "wall/rubber, wall_2/rubber", mk8 = "bwall/tire" },
   { "wall_special", like = "wall", mkw = "special_wall, special_wall/*" },
   { "wall_players", like = "wall", mkw = "player_wall, player_wall/*" },
   { "wall_invisible", like = "wall", mkw = "invisible_wall, invisible_wall/*, invisible_wall_2/*",
      mk8 = "invisible_wall, invisible_wall/*", mkds = "invisible_wall+is_wall, invisible_wall/*" },

   -- Nothing for karts, or nothing solid: left out where there is no such thing.
   { "item_road", mkw = "item_road, item_road/*", mk8 = "item_road, item_road/*",
      mkds = "road_no_drivers+is_floor, road_no_drivers/*, road/*+ignore_drivers" },
   { "item_wall", mkw = "item_wall, item_wall/*", mk8 = "item_wall, item_wall/*",
      mkds = "wall_no_drivers+is_wall, wall_no_drivers/*, wall/*+ignore_drivers" },
   { "half_pipe_wall", mkw = "half_pipe_invisible_wall, half_pipe_invisible_wall/*" },
   { "weak_wall", mkw = "weak_wall, weak_wall/*" },
   { "fall_ground", mkw = "solid_fall, solid_fall/*", mk8 = "lakitu_rescue, lakitu_rescue/*",
      mkds = "out_of_bounds+is_floor, out_of_bounds/*" },
   { "fall", mkw = "fall_boundary, fall_boundary/*", mk8 = "fall_out, fall_out/*",
      mkds = "fall_boundary, fall_boundary/*" },
   { "fall_water", like = "fall", mkw = "fall_boundary/water, fall_boundary/icy_water", mk8 = "fall_out/water" },
   { "fall_lava", like = "fall", mkw = "fall_boundary/lava, fall_boundary/lava_no_gfx",
      mk8 = "fall_out/lava, fall_out/lava_2" },
   { "fall_sand", like = "fall", mkw = "fall_boundary/quicksand", mk8 = "fall_out/desert_water" },
   { "cannon", mkw = "cannon_activator/*", mkds = "cannon_activator/*" },
   { "recalculation", mkw = "force_recalculation, force_recalculation/*",
      mkds = "force_recalculation, force_recalculation/*" },
   { "sound", mkw = "sound_trigger, sound_trigger/*", mk8 = "sound_trigger, sound_trigger/*",
      mkds = "sound_trigger, sound_trigger/*" },
   { "effect", mkw = "effect_trigger, effect_trigger/*", mk8 = "effect_trigger, effect_trigger/*" },
   { "item_state", mkw = "item_state, item_state/*" },
   { "zone", mk8 = "zone, zone/*" },
   { "unused", mk8 = "dummy_1, dummy_1/*, dummy_2/*, dummy_3/*, cannon/*", mkds = "*" },
}

-- Modifiers, as kinds: those of no row have no counterpart, as lights, which are numbers of the course's own list.
local modifiers = {
   { "trickable", mkw = "trickable", mk8 = "trickable" },
   { "speed_trickable", like = "trickable", mk8 = "speed_trickable" },
}

-- Modifiers that only repeat what the kind says.
local implied = { mkds = { is_floor = true, is_wall = true } }

-- Lengths: what has so many units in one game has so many in another one. Files of Mario Kart Wii have prisms 300
-- thick and a radius of 250, those of 8 have 30 and 25, and so have, as public sources say, those of 7 and DS: ten
-- times less, of both. So things are ten times smaller there: inferred from that, nobody has shown it. (The community
-- wiki recommends 11.93 for courses of Mario Kart 7 in Mario Kart Wii, and says that there is no official factor.) Of
-- the arcade games nothing tells but the size of courses: the two known are 3,600 and 5,600 units long, three race
-- courses of Mario Kart Wii that are at hand 75,000 to 170,000. So they are taken to have the units of Mario Kart 8:
-- a weak inference. Of the others nothing is known, and a factor of 1 is used.
local units = { mkw = 10, mk7 = 1, mk8 = 1, mk8dx = 1, mkds = 1, mkagp = 1 }
local weak = { mkagp = true }

return { kinds = kinds, modifiers = modifiers, implied = implied, units = units, weak = weak }
