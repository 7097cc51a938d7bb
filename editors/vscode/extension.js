// Starts `skewer lsp` for files of the language and stops it with the editor.

const { window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = async () => {
  const command = workspace.getConfiguration("skewer").get("path", "skewer");
  const server = { command, args: ["lsp"] };
  client = new LanguageClient("skewer", "skewer", server, { documentSelector: [{ language: "cql" }] });
  try {
    await client.start();
  } catch (error) {
    window.showErrorMessage(`CQL: \`${command} lsp\` cannot be started (${error.message}). Set skewer.path.`);
  }
};

exports.deactivate = () => client?.stop();
