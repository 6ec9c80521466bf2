-- Collision as a mesh for modelling programs: an OBJ, with its colours in an MTL beside it, or a PLY.
--
--    kartlua kcl_to_obj -o course.obj course.kcl
--    kartlua kcl_to_obj -o course.obj course.szs             of an archive, which stays as it is
--    kartlua kcl_to_obj -o meshes/ tracks/                   of every course in a folder
--    kartlua kcl_to_obj --split -o course.obj course.kcl     an object for each kind of surface
--    kartlua kcl_to_obj -o course.ply course.kcl             for programs that show meshes
--
-- Output:
--    course.kcl: 9884 triangles, 7859 positions, 5848 of 17745 edges open
--    course.kcl -> course.obj
--
-- Every material is called by its surface and its flag, like road_dirt_F0020: keep the end of the name,
-- and what comes back from the modelling program has its flags. Triangles keep their order; prisms that
-- are no triangles are left out, and counted. The file holds one corner of each triangle: the others are
-- computed, moved to positions of the file that are close (--snap), and joined where they are closer than
-- --weld. An edge is open where no other triangle continues it.

local materials = require "kartlua.materials"
local recipe = require "kartlua.recipe"

return recipe{
   summary = "Collision as a mesh for modelling programs.",
   accepts = "kcl",
   ending = "obj",
   options = {
      { name = "snap", type = "number", min = 0, default = 0.1,
        help = "move computed corners that are so close to a position of the file there" },
      { name = "weld", type = "number", min = 0, default = 0.1, help = "join positions that are so close" },
      { name = "split", type = "flag", help = "an object for each kind of surface; triangles change their order" },
   },
   example = "kartlua kcl_to_obj course.kcl",
   run = function(course, options, job)
      local mesh, report, code = course:mesh{ snap = options.snap, weld = options.weld }
      if not mesh then return nil, report, code end
      local stats = assert(mesh:stats())
      print(("%s: %d triangles, %d positions, %d of %d edges open%s"):format(job.input, stats.triangles,
         stats.positions, stats.open_edges, stats.edges,
         report.copies > 0 and (", %d copies left out"):format(report.copies) or ""))
      return options.split and materials.by_surface(mesh) or mesh
   end,
}
