--- Rows of cells as lines of text with aligned columns.
--
--    columns({ { "ktpt", 1 }, { "gobj", 120 } }, "lr")
--
-- `sides` has a letter for each column: l or r. Cells are shown by tostring; false and missing ones
-- stay empty. Gives an array of lines without blanks at the end.
return function(rows, sides)
   local widths, texts = {}, {}
   for i, row in ipairs(rows) do
      texts[i] = {}
      for column = 1, #sides do
         texts[i][column] = row[column] and tostring(row[column]) or ""
         widths[column] = math.max(widths[column] or 0, utf8.len(texts[i][column]) or #texts[i][column])
      end
   end
   for i, row in ipairs(texts) do
      for column, text in ipairs(row) do
         local blanks = (" "):rep(widths[column] - (utf8.len(text) or #text))
         row[column] = sides:sub(column, column) == "r" and blanks .. text or text .. blanks
      end
      texts[i] = table.concat(row, "  "):gsub("%s+$", "")
   end
   return texts
end
