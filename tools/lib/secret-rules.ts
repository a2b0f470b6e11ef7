import ts from 'typescript';
import type { SourceFile } from './source-files.ts';

const modules = 'packages/server/src/modules/';

/** Where secrets of organizations are opened, and why nobody gets more with it than they may have sent. */
export const opening: Readonly<Record<string, string>> = {
  'actions/dispatch/backends/azure-devops.ts': 'signs what it sends with the credentials of the organization',
  'actions/dispatch/call-address.ts': 'signs what it sends with the credentials of the organization',
  'actions/dispatch/publish-message.ts': 'signs what it sends with the credentials of the organization',
  'actions/dispatch/secrets-for.ts': 'decides for every run what it may use',
  'actions/runs/edit-draft.ts': 'seals inputs of the form',
  'actions/runs/notify-approvers.ts': 'signs what approvers are sent',
  'actions/runs/open-run-secrets.ts': 'opens them to mask what is reported; nothing is sent',
  'actions/runs/plain-inputs.ts': 'opens inputs of the form, to seal them again',
  'actions/runs/start-run.ts': 'seals inputs of the form',
  'actions/runs/test-form.ts': 'seals inputs of the form',
  'assistant/providers/provider-settings.ts': 'of configurations that were saved with the right to name secrets',
  'assistant/providers/write-provider.ts': 'looks whether a secret is there, after the right to name it',
  'automations/changelog/changelog-sender.ts': 'signs what it sends with the credentials of the organization',
  'connectors/open-peer.ts': 'of headers that were saved with the right to name secrets',
  'identity/check-master-key.ts': 'looks whether the key of the installation is the right one',
  'identity/secrets/signing-secret.ts': 'opens the credentials of the organization for those named here',
  'identity/secrets/write-secret.ts': 'opens secrets for those named here',
  'integrations/webhooks/secret-of.ts': 'compares with what senders show; nothing is sent',
  'sources/sources/source-secrets.ts': 'of sources, for the address that they were saved with and no other',
  'sources/syncs/hooks.ts': 'compares with what senders show; nothing is sent',
  'workflows/definitions/check-references.ts': 'looks for administrators whether a secret is there; nothing is sent',
  'workflows/definitions/response-form.ts': 'seals inputs of the form',
  'workflows/definitions/start-form.ts': 'seals inputs of the form',
  'workflows/runs/receive-call.ts': 'opens the secret of a trigger to check what others send; nothing is sent',
  'workflows/nodes/report-node-run.ts': 'opens them to mask what is reported; nothing is sent',
  'backups/organization/reseal.ts':
    'of an organization that the operator moves, for the file, where the passphrase seals them',
  'sign-in/sso/set-connection.ts': 'of the connection to the identity provider, which administrators save',
};

/** Functions that answer a secret, or all of them, in the clear. */
const openers = new Set(['secretsOf', 'secretValue', 'signingSecretOf']);

/** Places that open secrets and are not listed. */
export function secretFindings(file: SourceFile): string[] {
  const { path } = file;
  if (path.endsWith('.test.ts') || !opens(file)) return [];
  if (path.startsWith(modules) && Object.hasOwn(opening, path.slice(modules.length))) return [];
  return [
    `${path} opens secrets: take those that a run may use (usableSecrets), or check who saved it (requireSecrets) and list the file with what it does`,
  ];
}

/** Whether a file opens secrets itself. */
export function opens({ path, text }: SourceFile): boolean {
  if (![...openers, 'sealer'].some((word) => text.includes(word))) return false;
  let isFound = false;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isOpener(node.expression)) isFound = true;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return isFound;
}

function isOpener(called: ts.Expression): boolean {
  if (ts.isIdentifier(called)) return openers.has(called.text);
  if (!ts.isPropertyAccessExpression(called)) return false;
  if (openers.has(called.name.text)) return true;
  return called.name.text === 'open' && lastName(called.expression) === 'sealer';
}

function lastName(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : '';
}
