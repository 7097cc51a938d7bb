// Starts `skewer lsp` for queries and stops it with the editor; has the commands that the server's code lenses name.

const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { Queries } = require("./queries");

let client;

const command = () => workspace.getConfiguration("skewer").get("path", "skewer");

const start = async () => {
  await client?.stop().catch(() => {});
  const server = { command: command(), args: ["lsp"] };
  const options = {
    documentSelector: [{ language: "cql" }],
    // The server offers code lenses to clients that have their commands.
    initializationOptions: { commands: ["skewer.run", "skewer.test"] },
  };
  client = new LanguageClient("skewer", "skewer", server, options);
  try {
    await client.start();
  } catch (error) {
    const settings = "Open the settings";
    const message = `skewer: \`${server.command} lsp\` does not start (${error.message}). Is skewer installed?`;
    const chosen = await window.showErrorMessage(message, settings);
    if (chosen === settings) commands.executeCommand("workbench.action.openSettings", "skewer.path");
  }
};

exports.activate = async (context) => {
  new Queries(context, command);
  context.subscriptions.push(
    commands.registerCommand("skewer.restart", start),
    workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("skewer.path") && start()),
  );
  await start();
};

exports.deactivate = () => client?.stop();
