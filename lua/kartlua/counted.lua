--- A number of things in words: counted(1, "point") is "1 point", counted(2, "point") "2 points".
return function(count, noun) return ("%d %s%s"):format(count, noun, count == 1 and "" or "s") end
