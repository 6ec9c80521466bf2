-- Collision of an arcade game as a mesh for modelling programs: an OBJ, with its colours in an MTL beside it, or a PLY.
--
--    kartlua agp_to_obj -o course.obj course.bin
--    kartlua agp_to_obj -o meshes/ tracks/                 of every one in a folder
--    kartlua agp_to_obj --split -o course.obj course.bin   an object for each kind of surface
--
-- Output:
--    course.bin: 35 triangles, 48 positions, 31 of 68 edges open
--    course.bin -> course.obj
--
-- Every material is called by its surface and its flag, like grass_heavy_F00400400: keep the end of the name, and what
-- comes back from the modelling program has its flags. Triangles keep their order. An edge is open where no other
-- triangle continues it. Walls are not in the mesh: those of open edges follow from it.

local materials = require "kartlua.materials"
local recipe = require "kartlua.recipe"

return recipe{
   summary = "Collision of an arcade game as a mesh for modelling programs.",
   accepts = "agp",
   ending = "obj",
   options = {
      { name = "split", type = "flag", help = "an object for each kind of surface; triangles change their order" },
   },
   example = "kartlua agp_to_obj course.bin",
   run = function(course, options, job)
      local mesh, problem, code = course:mesh()
      if not mesh then return nil, problem, code end
      local stats = assert(mesh:stats())
      print(("%s: %d triangles, %d positions, %d of %d edges open"):format(job.input, stats.triangles, stats.positions,
         stats.open_edges, stats.edges))
      return options.split and materials.by_surface(mesh) or mesh
   end,
}
