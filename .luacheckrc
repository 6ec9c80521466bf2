std = "lua54"
max_line_length = 120
exclude_files = { "lua/meta" } -- declarations for editors, not code

read_globals = { "kart" } -- the host's
globals = { "arg" }

files["spec/**/*_spec.lua"] = { std = "+busted" }
