--- OBJ files as the programs that people model in write them, small ones of our own. Each is { name =,
--- text =, mtl =, flags =, expected = }: `mtl` and `flags` are the files to it, `expected` are its triangles
--- in order, { corner, corner, corner, flag = (nil: not known), part =, material = }; corners are places.
--- Where a face has more than four corners `area` stands for its triangles: { area =, count =, flag = }.

-- Lines of Windows; ~ stands for a space at the end of one.
local function crlf(text) return (text:gsub("~\n", " \n"):gsub("\n", "\r\n")) end

-- The corners of a square of 4 by 4 on the ground, and the same 2 higher.
local A, B, C, D = { 0, 0, 0 }, { 0, 0, 4 }, { 4, 0, 4 }, { 4, 0, 0 }
local E, F, G, H = { 0, 2, 0 }, { 0, 2, 4 }, { 4, 2, 4 }, { 4, 2, 0 }

return {
   { name = "blender", text = [[
# Blender 3.6.2
# www.blender.org
mtllib blender.mtl
o Ground_F0020.001
v 0.000000 0.000000 0.000000
v 0.000000 0.000000 4.000000
v 4.000000 0.000000 4.000000
v 4.000000 0.000000 0.000000
vn -0.0000 1.0000 -0.0000
vt 0.000000 0.000000
vt 1.000000 0.000000
vt 1.000000 1.000000
vt 0.000000 1.000000
s 0
f 1/1/1 2/2/1 3/3/1 4/4/1
o Wall
v 0.000000 2.000000 0.000000
v 0.000000 2.000000 4.000000
v 4.000000 2.000000 4.000000
vn -0.0000 1.0000 -0.0000
s 1
usemtl COL_0C
f 5/1/2 6/2/2 7/3/2
]], mtl = [[
# Blender 3.6.2 MTL File: 'None'
# www.blender.org

newmtl COL_0C
Ns 250.000000
Ka 1.000000 1.000000 1.000000
Kd 0.800000 0.400000 0.200000
Ks 0.500000 0.500000 0.500000
Ke 0.000000 0.000000 0.000000
Ni 1.450000
d 1.000000
illum 2
]], expected = {
      { A, B, C, flag = 0x20, part = "Ground_F0020.001" }, { A, C, D, flag = 0x20, part = "Ground_F0020.001" },
      { E, F, G, flag = 0x0C, part = "Wall", material = "COL_0C" } } },

   { name = "blender_old", text = [[
# Blender v2.79 (sub 0) OBJ File: ''
# www.blender.org
mtllib blender_old.mtl
o Plane_Plane.001
v 0.000000 0.000000 4.000000
v 4.000000 0.000000 4.000000
v 0.000000 0.000000 0.000000
v 4.000000 0.000000 0.000000
vn 0.0000 1.0000 0.0000
usemtl None
s off
f 1//1 2//1 4//1 3//1
]], expected = {
      { B, C, D, part = "Plane_Plane.001", material = "None" },
      { B, D, A, part = "Plane_Plane.001", material = "None" } } },

   -- The add-on for Mario Kart Wii: objects carry the flag, joined to the name of their data.
   { name = "blender_mkw", text = [[
# Blender v2.93.0 OBJ File: ''
# www.blender.org
mtllib blender_mkw.mtl
g Road_00_F2020.001_Road_00_F2020
v 0.000000 0.000000 0.000000
v 0.000000 0.000000 4.000000
v 4.000000 0.000000 4.000000
vn 0.0000 1.0000 0.0000
usemtl (null)
s off
f 1//1 2//1 3//1
g Wall_0C_F800C
v 0.000000 2.000000 0.000000
v 0.000000 2.000000 4.000000
v 4.000000 2.000000 4.000000
f 4//1 5//1 6//1
]], expected = {
      { A, B, C, flag = 0x2020, part = "Road_00_F2020.001_Road_00_F2020" },
      { E, F, G, flag = 0x800C, part = "Wall_0C_F800C" } } },

   { name = "max", text = crlf [[
# 3ds Max Wavefront OBJ Exporter v0.97b - (c)2007 guruware
# File Created: 01.02.2023 12:34:56

mtllib max.mtl

#
# object Box001
#

v  0.0000 0.0000 0.0000
v  0.0000 0.0000 4.0000
v  4.0000 0.0000 4.0000
v  4.0000 0.0000 0.0000
# 4 vertices

vn 0.0000 1.0000 -0.0000
# 1 vertex normals

vt 0.0000 0.0000 0.0000
# 1 texture coords

g Box001
usemtl Material __25
s 2
f 1/1/1 2/1/1 3/1/1~
s 4
usemtl wall_0c_001
f 3/1/1 4/1/1 1/1/1~
# 0 polygons - 2 triangles

]], mtl = crlf [[
# 3ds Max Wavefront OBJ Exporter v0.97b - (c)2007 guruware

newmtl Material __25
	Ns 10.0000
	Tr 0.0000
	Kd 0.5880 0.5880 0.5880
	map_Kd C:\textures\my grass.png

newmtl wall_0c_001
	Kd 0.2 0.2 0.2
]], flags = crlf [[
# flags of the materials

material __* = off_road/grass   # the lawn
]], expected = {
      { A, B, C, part = "Box001", material = "Material __25" },
      { C, D, A, flag = 0x2C, part = "Box001", material = "wall_0c_001" } } },

   { name = "sketchup", text = crlf [[
# Alias OBJ Model File
# Exported from SketchUp, (c) 2000-2012 Trimble Navigation Limited
# File units = inches

mtllib sketchup.mtl

g Mesh1 Group1 Model

usemtl Color_A01
v 0 0 4
vt -1.2e1 7.8740157480315e-2
vn 0 1 -0
v 4 0 4
vt 0 0
v 4 0 2
v 4 0 0
v 0 0 0
f 1/1/1 2/2/1 3/1/1 4/2/1 5/1/1

g Mesh2 road_0020 Model
f 5/1/1 1/2/1 2/1/1
]], expected = {
      { area = 16, count = 3, part = "Mesh1 Group1 Model", material = "Color_A01" },
      { A, B, C, flag = 0x20, part = "Mesh2 road_0020 Model", material = "Color_A01" } } },

   -- Numbers that count back, several objects with vertices of their own.
   { name = "negative", text = [[
o first
v 0 0 0
v 0 0 4
v 4 0 4
v 4 0 0
f -4 -3 -2 -1
o second
v 0 2 0
v 0 2 4
v 4 2 4
usemtl COL_00
f -3/-3 -2/-2 -1/-1
f -7//-1 -2//-1 -1//-1
]], expected = { { A, B, C, part = "first" }, { A, C, D, part = "first" },
      { E, F, G, flag = 0, part = "second", material = "COL_00" },
      { A, F, G, flag = 0, part = "second", material = "COL_00" } } },

   -- Colours of vertices, and what sculpting programs put into comments.
   { name = "colours", text = [[
# OBJ File Generated by Meshlab
v 0 0 0 0.752941 0.752941 0.752941
v 0 0 4 1 0 0
v 4 0 4 1.0 0 1 0
v 4 0 0
#MRGB ffabababffababab
f 1 2 3
f 3 4 1 # the other half
]], expected = { { A, B, C }, { C, D, A } } },

   -- Lines that go on, tabs, a comment in front, and no end of the last line.
   { name = "continued", text = "# a face \\\nv\t0 0 \\\n0\nv 0 0 4\r\nv  4 0 4\nv 4 0 0\n"
      .. "  usemtl road/dirt+trickable  \nf 1 \\\r\n  2 \\\n  3 4\nf 1 2 3 \\", expected = {
      { A, B, C, flag = 0x2020, material = "road/dirt+trickable" },
      { A, C, D, flag = 0x2020, material = "road/dirt+trickable" },
      { A, B, C, flag = 0x2020, material = "road/dirt+trickable" } } },

   -- Lines that end as they did on old Macs, behind a mark for UTF-8.
   { name = "old_mac", text = "\xEF\xBB\xBF# old\rv 0 0 0\rv 0 0 4\rv 4 0 4\rg R\xC3\xB6hre_F0013\rf 1 2 3",
      expected = { { A, B, C, flag = 0x13, part = "R\xC3\xB6hre_F0013" } } },

   -- Faces of many corners: an L, a comb, a hole with a bridge to it; points and lines beside them.
   { name = "concave", text = [[
v 0 0 0
v 0 0 9
v 3 0 9
v 3 0 3
v 9 0 3
v 9 0 0
v 6 0 3
v 6 0 9
v 9 0 9
v 4 0 4
v 5 0 4
v 5 0 5
v 4 0 5
p 1
l 1 2 3
usemtl COL_03
f 1 2 3 4 5 6
usemtl COL_04
f 1 2 3 4 7 8 9 6
usemtl COL_05
f 6 1 2 9 6 11 12 13 10 11
]], expected = { { area = 45, count = 4, flag = 3 }, { area = 63, count = 6, flag = 4 },
      { area = 80, count = 8, flag = 5 } } },

   -- What names can say, all at once.
   { name = "names", text = [[
v 0 0 0
v 0 0 4
v 4 0 4
g default
usemtl COL_802C
f 1 2 3
usemtl thing_F1FFF.012
f 1 2 3
usemtl thing_05_001
f 1 2 3
usemtl thing_0020
f 1 2 3
usemtl rock_face
f 1 2 3
g sand_F0001 default
f 1 2 3
usemtl wall
f 1 2 3
g
usemtl wall/rock
f 1 2 3
usemtl
f 1 2 3
]], expected = {
      { A, B, C, flag = 0x802C, part = "default", material = "COL_802C" },
      { A, B, C, flag = 0x1FFF, part = "default", material = "thing_F1FFF.012" },
      { A, B, C, flag = 0x25, part = "default", material = "thing_05_001" },
      { A, B, C, flag = 0x20, part = "default", material = "thing_0020" },
      { A, B, C, part = "default", material = "rock_face" },
      { A, B, C, flag = 1, part = "sand_F0001 default", material = "rock_face" },
      { A, B, C, flag = 1, part = "sand_F0001 default", material = "wall" },
      { A, B, C, flag = 0x2C, material = "wall/rock" },
      { A, B, C } } },

   { name = "empty", text = "# nothing\nv 0 0 0\n", expected = {} },
   { name = "upper", text = "v 0 2 0\nv 0 2 4\nv 4 2 4\nv 4 2 0\nfo 1 2 3 4\n",
      expected = { { E, F, G }, { E, G, H } } },
}
