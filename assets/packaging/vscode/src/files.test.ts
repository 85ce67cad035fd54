import assert from "node:assert/strict";
import { test } from "node:test";

import { pipeline, quoted } from "./files";

test("stages of one name are a pipeline, in their order", () => {
  const names = ["lit.frag", "lit.vert", "other.frag", "lit.comp", "lit.frag.hlsl", "lit.vert.hlsl", "lit.ps.hlsl", "lit.png", "sky.vs.hlsl", "sky.ps.hlsl"];
  assert.deepEqual(pipeline("/a/lit.frag", names), ["/a/lit.vert", "/a/lit.frag"]);
  assert.deepEqual(pipeline("/a/lit.vert.hlsl", names), ["/a/lit.vert.hlsl", "/a/lit.frag.hlsl", "/a/lit.ps.hlsl"]);
  assert.deepEqual(pipeline("/a/sky.ps.hlsl", names), ["/a/sky.vs.hlsl", "/a/sky.ps.hlsl"]);
  assert.deepEqual(pipeline("/a/lit.comp", names), ["/a/lit.comp"]);
  assert.deepEqual(pipeline("/a/new.frag", names), ["/a/new.frag"]);
});

test("words of a command line are quoted where a shell reads them", () => {
  assert.equal(quoted("/usr/bin/lanescope"), "/usr/bin/lanescope");
  assert.equal(quoted("a b$(c).frag"), "'a b$(c).frag'");
  assert.equal(quoted("it's"), "'it'\\''s'");
});
