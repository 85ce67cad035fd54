//! `lanescope lsp` in Neovim: an editor opens a sample, waits for its hints and diagnostics, and applies a quick fix.

use std::process::Command;

use crate::common::{ended, lanescope};
use crate::lsp_edits::folder;

/// What Neovim does. It has no display of hints of its own before 0.10, so they are asked for.
const SCRIPT: &str = r#"
local program, file, out = vim.env.LANESCOPE, vim.env.FILE, vim.env.OUT
local function write(text)
  local to = assert(io.open(out, 'w'))
  to:write(text)
  to:close()
end
local function run()
  vim.cmd('edit ' .. vim.fn.fnameescape(file))
  local buffer = vim.api.nvim_get_current_buf()
  local client = vim.lsp.start_client({ name = 'lanescope', cmd = { program, 'lsp' }, root_dir = vim.fn.fnamemodify(file, ':h') })
  assert(client and vim.lsp.buf_attach_client(buffer, client), 'no client')
  local diagnostics
  assert(vim.wait(60000, function()
    diagnostics = vim.diagnostic.get(buffer)
    return #diagnostics > 0
  end, 20), 'no diagnostics')
  local found = diagnostics[1]
  local range = { start = { line = found.lnum, character = 0 }, ['end'] = { line = found.lnum, character = 1000 } }
  local document = vim.lsp.util.make_text_document_params(buffer)
  local function ask(method, params)
    local answers = assert(vim.lsp.buf_request_sync(buffer, method, params, 60000), method)
    local answer = answers[client]
    assert(answer and not answer.err, vim.inspect(answer))
    return answer.result
  end
  local actions = ask('textDocument/codeAction', { textDocument = document, range = range, context = { diagnostics = {} } })
  assert(#actions == 1, vim.inspect(actions))
  vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
  local lines = {}
  assert(vim.wait(60000, function() return #vim.diagnostic.get(buffer, { severity = vim.diagnostic.severity.ERROR }) == 0 end, 20), 'the error stays')
  local last = vim.api.nvim_buf_line_count(buffer)
  local all = { start = { line = 0, character = 0 }, ['end'] = { line = last, character = 0 } }
  local labels = {}
  for _, hint in ipairs(ask('textDocument/inlayHint', { textDocument = document, range = all })) do
    table.insert(labels, hint.position.line .. ': ' .. hint.label)
  end
  local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
  write(actions[1].title .. '\n--\n' .. table.concat(labels, '\n') .. '\n--\n' .. text)
end
local ok, why = pcall(run)
if not ok then write('failed: ' .. tostring(why)) end
vim.lsp.stop_client(vim.lsp.get_active_clients())
vim.wait(3000, function() return #vim.lsp.get_active_clients() == 0 end, 20)
vim.cmd(ok and 'qall!' or 'cquit!')
"#;

#[test]
fn neovim_shows_what_is_found_and_applies_a_fix() {
    let vert =
        "#version 450\nlayout(location = 0) out vec2 uv;\nvoid main() { uv = vec2(1); gl_Position = vec4(0); }\n";
    let frag = "#version 450\nin vec2 uv;\nlayout(location = 0) out vec4 color;\nvoid main() { color = uv.xyxy; }\n";
    let (_folder, root) = folder(&[("a.vert", vert), ("a.frag", frag), ("script.lua", SCRIPT)]);
    let out = root.join("out.txt");
    let mut command = Command::new("nvim");
    command.args(["--headless", "-u", "NONE", "-i", "NONE", "-n", "-S"]).arg(root.join("script.lua"));
    command.env("LANESCOPE", lanescope().get_program()).env("FILE", root.join("a.frag")).env("OUT", &out);
    command.env("HOME", &root).env("XDG_STATE_HOME", &root).env("XDG_CACHE_HOME", &root);
    let output = ended(command);
    let text = std::fs::read_to_string(&out).unwrap_or_default();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    let parts: Vec<&str> = text.split("\n--\n").collect();
    let [title, hints, new] = parts.as_slice() else { panic!("{text}") };
    assert_eq!(*title, "Add `layout(location = 0)` to `uv`");
    assert_eq!(*hints, "1: → slot 0.xy");
    assert_eq!(*new, frag.replace("in vec2 uv", "layout(location = 0) in vec2 uv").trim_end());
}
