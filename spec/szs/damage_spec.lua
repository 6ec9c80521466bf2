-- Damaged archives are refused, and each message says in one line where, what was expected and what was found.
local broken = require "samples.archives_broken"
local support = require "spec.support"

-- What the message of each damaged sample says: the code, and what was expected and found.
local DAMAGE = {
   ["table_before_the_header_ends.arc"] = {
      "format", "U8 at 0x4: offset of the nodes: expected 0x20 to 0xF4, found 0x10" },
   ["table_behind_the_file.arc"] = {
      "format", "U8 at 0x4: offset of the nodes: expected 0x20 to 0xF4, found 0x10000" },
   ["table_longer_than_the_file.arc"] = { "format", "U8 at 0x8: length of nodes and names: expected 0xC to 0xE0" },
   ["table_too_short_for_its_root.arc"] = { "format", "U8 at 0x8: length of nodes and names" },
   ["table_too_short_for_its_nodes.arc"] = {
      "format", "U8 at 0x28: number of nodes: expected 0x1 to 0x5, found 0x6" },
   ["root_is_a_file.arc"] = { "format", "U8 at 0x20: first node: expected a folder, found type 0" },
   ["root_without_nodes.arc"] = { "format", "U8 at 0x28: number of nodes: expected 0x1 to 0x8, found 0x0" },
   ["root_with_too_many_nodes.arc"] = {
      "format", "U8 at 0x28: number of nodes: expected 0x1 to 0x8, found 0x10000000" },
   ["node_of_no_type.arc"] = { "format", "U8 at 0x38: node type: expected 0 or 1, found 2" },
   ["name_behind_the_names.arc"] = {
      "format", "U8 at 0x39: offset of the name: expected 0x0 to 0x1B, found 0xFFFFFF" },
   ["name_without_an_end.arc"] = { "format", "U8 at 0x7E: name: expected a zero behind it, found none to 0x84" },
   ["file_behind_the_end.arc"] = { "format", "U8 at 0x60: place of the file: expected 0x0 to 0xFB, found 0x10000" },
   ["file_longer_than_the_rest.arc"] = { "format", "U8 at 0x60: place of the file" },
   ["file_that_wraps_around.arc"] = { "format", "U8 at 0x60: place of the file" },
   ["folder_in_a_file.arc"] = {
      "format", "U8 at 0x48: parent of the folder: expected the one it lies in, found node 2" },
   ["folder_in_itself.arc"] = {
      "format", "U8 at 0x48: parent of the folder: expected the one it lies in, found node 3" },
   ["folder_that_ends_before_it.arc"] = { "format", "U8 at 0x4C: end of the folder: expected 0x4 to 0x6, found 0x2" },
   ["folder_that_ends_behind_its_own.arc"] = {
      "format", "U8 at 0x4C: end of the folder: expected 0x4 to 0x6, found 0x7" },
   ["header_cut.arc"] = { "format", "U8 at 0x0: file too short: expected a header of 32 bytes, found 31" },
   ["cut_in_its_last_file.arc"] = { "format", "U8 at 0x60: place of the file: expected 0x0 to 0xDF, found 0xE0" },
   ["folders_too_deep.arc"] = { "limit", "folders more than 64 deep" },
   ["header_cut.szs"] = { "format", "Yaz0 at 0xF: header cut off: expected 16 bytes, found 15" },
   ["stream_cut.szs"] = { "format", "stream ends early: expected 256 decompressed bytes, found 228" },
   ["states_more_than_it_holds.szs"] = { "format", "stream ends early: expected 1024 decompressed bytes, found 256" },
   ["states_less_than_it_holds.szs"] = { "format", "length: expected at most the 1 bytes left, found 3" },
   ["states_four_gigabytes.szs"] = { "format", "Yaz0 at 0x4: decompressed size: expected at most" },
   ["states_nothing.szs"] = { "unsupported", "what is compressed: expected a U8 archive, found something else" },
   ["copies_from_before_the_start.szs"] = {
      "format", "distance: expected at most the 1 bytes made so far, found 4096" },
   ["copies_past_its_size.szs"] = { "format", "length: expected at most the 2 bytes left, found 17" },
   ["archive_in_it_damaged.szs"] = { "format", "U8 at 0x4: offset of the nodes" },
   ["sarc_in_it.szs"] = {
      "unsupported", "what is compressed: expected a U8 archive, found a SARC archive (Wii U, Switch)" },
   ["text_in_it.szs"] = { "unsupported", "what is compressed: expected a U8 archive, found something else" },
   ["wu8_of_a_distribution.szs"] = { "unsupported", "found a WU8 archive of a distribution" },
   ["sarc.arc"] = { "unsupported", "found a SARC archive (Wii U, Switch)" },
   ["rarc.arc"] = { "unsupported", "found a RARC archive (GameCube)" },
   ["lz11.arc"] = { "unsupported", "found an LZ11 stream" },
   ["empty.szs"] = { "format", "expected" },
}

describe("a damaged sample is refused, and told in one line:", function()
   local count = 0
   for _ in pairs(DAMAGE) do count = count + 1 end
   it("each of them", function() assert.equal(#broken, count) end)
   for _, sample in ipairs(broken) do
      it(sample.name, function()
         local bytes, path = sample.make(), support.tmp() .. "/" .. sample.name
         local code, text = table.unpack(DAMAGE[sample.name])
         local function check(doc, message, found)
            assert.is_nil(doc)
            assert.equal(code, found)
            assert.truthy(message:find(text, 1, true), message)
            assert.is_nil(message:find("[\n\r]"), message)
            return message
         end
         check(kart.szs.parse(bytes))
         support.write(path, bytes)
         for _, open in ipairs{ kart.open, kart.course } do
            assert.equal(path .. ": ", check(open(path)):sub(1, #path + 2))
         end
      end)
   end
end)
