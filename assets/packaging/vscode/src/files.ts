// Which files a command is about: those that are selected, or the stages of a shader, by their names.

import * as path from "node:path";

/** Names of the stages of a graphics pipeline, in their order: those of GLSL and of HLSL. */
const STAGES = ["vert", "vs", "tesc", "hs", "tese", "ds", "geom", "gs", "task", "as", "mesh", "ms", "frag", "ps"];

/** Splits a name into its stem, its stage where the name has one, and what follows: `a.frag.hlsl`. */
function parts(name: string): { stem: string; stage: string; rest: string } | undefined {
  const words = name.split(".");
  for (const at of [words.length - 1, words.length - 2]) {
    const stage = words[at];
    if (at > 0 && stage && STAGES.includes(stage)) {
      return { stem: words.slice(0, at).join("."), stage, rest: words.slice(at + 1).join(".") };
    }
  }
  return undefined;
}

/** The stages of the pipeline that a file is of: the files of its folder with its stem. `names` are all of the folder. */
export function pipeline(file: string, names: readonly string[]): string[] {
  const folder = path.dirname(file);
  const own = parts(path.basename(file));
  if (!own) return [file];
  const stages = names
    .map((name) => ({ name, of: parts(name) }))
    .filter(({ of }) => of?.stem === own.stem && of.rest === own.rest)
    .sort((a, b) => STAGES.indexOf(a.of?.stage ?? "") - STAGES.indexOf(b.of?.stage ?? ""));
  const found = stages.map(({ name }) => path.join(folder, name));
  return found.includes(file) ? found : [file];
}

/** A word of a command line for a POSIX shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
