// Starts the servers of Lanescope for Visual Studio Code: the language server, the debug adapter and the server for agents.

import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import * as path from "node:path";
import * as vscode from "vscode";
import { LanguageClient, type StaticFeature } from "vscode-languageclient/node";

import { pipeline, quoted } from "./files";

/** The section of the settings. */
const SECTION = "lanescope";
/** The command of the code lens *Debug*. */
const DEBUG = "lanescope.debug";
/** Languages whose documents the server gets. */
const LANGUAGES = ["glsl", "hlsl", "wgsl", "slang", "spvasm", "pipe", "amber", "shader_test"];
/** Settings that are of the extension, not of the language server. */
const OWN = ["path", "agents.enabled", "agents.allowRun"];

let client: LanguageClient | undefined;

/** The program. */
function program(): string {
  return vscode.workspace.getConfiguration(SECTION).get<string>("path") || "lanescope";
}

/** The settings of the language server. Those without a value are left out. */
function settings(): Record<string, unknown> {
  const all = vscode.workspace.getConfiguration(SECTION);
  const contributed = vscode.extensions.getExtension("lanescope.lanescope")?.packageJSON.contributes.configuration.properties;
  const out: Record<string, unknown> = {};
  for (const key of Object.keys(contributed ?? {})) {
    const name = key.slice(SECTION.length + 1);
    const value = all.get(name);
    if (OWN.includes(name) || value === undefined || value === null || value === "") continue;
    const folders = name.split(".");
    const last = folders.pop() ?? name;
    let at = out;
    for (const folder of folders) at = (at[folder] ??= {}) as Record<string, unknown>;
    at[last] = value;
  }
  return out;
}

async function startClient(): Promise<void> {
  const command = program();
  client = new LanguageClient(
    SECTION,
    "Lanescope",
    { command, args: ["lsp"] },
    {
      documentSelector: LANGUAGES.map((language) => ({ scheme: "file", language })),
      initializationOptions: settings(),
    },
  );
  client.registerFeature(DEBUGGING);
  try {
    await client.start();
  } catch (error) {
    const choice = await vscode.window.showErrorMessage(
      `Lanescope: ${command} did not start as a language server: ${String(error)}`,
      "Open settings",
    );
    if (choice) await vscode.commands.executeCommand("workbench.action.openSettings", `${SECTION}.path`);
  }
}

/** The files of a command: what is selected in the explorer, or the shader of the editor with its other stages. */
async function files(clicked?: vscode.Uri | string, selected?: readonly vscode.Uri[]): Promise<string[]> {
  if (selected && selected.length > 1) return selected.map((uri) => uri.fsPath);
  const named = typeof clicked === "string" ? clicked : clicked?.fsPath;
  const file = named ?? vscode.window.activeTextEditor?.document.uri.fsPath;
  if (!file) throw new Error("no shader is open");
  return pipeline(file, await readdir(path.dirname(file)));
}

/** The folder that a file is in, in the workspace. */
function folderOf(file: string): vscode.WorkspaceFolder | undefined {
  return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file));
}

/** What the language server needs of the client: it performs *Run*, *Show in Lanescope* and *Compile* itself, *Debug* the client. */
const DEBUGGING: StaticFeature = {
  fillClientCapabilities(capabilities) {
    capabilities.experimental = { ...capabilities.experimental, commands: { commands: [DEBUG] } };
  },
  initialize() {},
  getState() {
    return { kind: "static" };
  },
  clear() {},
};

function registerCommands(context: vscode.ExtensionContext): void {
  const register = (name: string, act: (files: string[]) => unknown) => {
    const run = async (clicked?: vscode.Uri | string, selected?: readonly vscode.Uri[]) => {
      try {
        await act(await files(clicked, selected));
      } catch (error) {
        void vscode.window.showErrorMessage(`Lanescope: ${error instanceof Error ? error.message : String(error)}`);
      }
    };
    context.subscriptions.push(vscode.commands.registerCommand(`${SECTION}.${name}File`, run));
  };
  register("run", (shaders) => {
    const terminal = vscode.window.createTerminal({ name: "Lanescope", cwd: path.dirname(shaders[0] ?? ".") });
    terminal.show();
    terminal.sendText([program(), "run", ...shaders].map(quoted).join(" "));
  });
  register("debug", (shaders) =>
    vscode.debug.startDebugging(folderOf(shaders[0] ?? ""), {
      type: SECTION,
      request: "launch",
      name: path.basename(shaders[0] ?? ""),
      program: shaders,
      stopOnEntry: true,
    }),
  );
  // Of a code lens: its argument is the whole launch configuration.
  const launch = (configuration: vscode.DebugConfiguration) =>
    vscode.debug.startDebugging(vscode.workspace.workspaceFolders?.[0], configuration);
  context.subscriptions.push(vscode.commands.registerCommand(DEBUG, launch));
  register(
    "show",
    (shaders) =>
      new Promise<void>((resolve, reject) => {
        const window = spawn(program(), shaders, { detached: true, stdio: "ignore" });
        window.on("spawn", () => {
          window.unref();
          resolve();
        });
        window.on("error", reject);
      }),
  );
}

function registerDebugger(context: vscode.ExtensionContext): void {
  const adapter: vscode.DebugAdapterDescriptorFactory = {
    createDebugAdapterDescriptor: (session) =>
      new vscode.DebugAdapterExecutable(program(), ["dap"], { cwd: session.workspaceFolder?.uri.fsPath }),
  };
  // *Start debugging* without a launch configuration is about the shader of the editor.
  const configuration: vscode.DebugConfigurationProvider = {
    resolveDebugConfiguration: async (_folder, config) => {
      if (config.type) return config;
      const shaders = await files();
      return { type: SECTION, request: "launch", name: path.basename(shaders[0] ?? ""), program: shaders, stopOnEntry: true };
    },
  };
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory(SECTION, adapter),
    vscode.debug.registerDebugConfigurationProvider(SECTION, configuration),
  );
}

function registerAgents(context: vscode.ExtensionContext): void {
  const changed = new vscode.EventEmitter<void>();
  const version = String(context.extension.packageJSON.version);
  context.subscriptions.push(
    changed,
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(SECTION) && changed.fire()),
    vscode.lm.registerMcpServerDefinitionProvider(SECTION, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () => {
        const all = vscode.workspace.getConfiguration(SECTION);
        if (!all.get<boolean>("agents.enabled")) return [];
        const run = all.get<boolean>("agents.allowRun") ? ["--allow-run"] : [];
        return (vscode.workspace.workspaceFolders ?? []).map(
          (folder) =>
            new vscode.McpStdioServerDefinition(
              `Lanescope: ${folder.name}`,
              program(),
              ["mcp", "--root", folder.uri.fsPath, ...run],
              {},
              version,
            ),
        );
      },
    }),
  );
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  registerCommands(context);
  registerDebugger(context);
  registerAgents(context);
  const changed = vscode.workspace.onDidChangeConfiguration(async (event) => {
    if (event.affectsConfiguration(`${SECTION}.path`)) {
      await client?.stop();
      await startClient();
    } else if (event.affectsConfiguration(SECTION) && client?.isRunning()) {
      await client.sendNotification("workspace/didChangeConfiguration", { settings: { [SECTION]: settings() } });
    }
  });
  context.subscriptions.push(changed);
  await startClient();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
