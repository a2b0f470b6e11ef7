import type { LoadedSecrets } from './secrets.ts';

export interface WelcomeInput {
  readonly address: string;
  readonly role: 'all' | 'web' | 'worker';
  readonly loaded: LoadedSecrets;
  readonly isFirstStart: boolean;
  readonly first: 'demo' | 'empty' | 'beside';
  readonly model: string;
}

/** What a start prints: where it is, how to sign in, and one command that asks the assistant. */
export function welcome({ address, role, loaded, isFirstStart, first, model }: WelcomeInput): string {
  if (role === 'worker') return 'Portolan worker is running.\n';
  const isShown = isFirstStart || loaded.made.has('clientSecret');
  const lines = [
    '',
    `  Portolan is running at ${address}`,
    '',
    `  API reference      ${address}/docs`,
    ...portalUser(loaded, isFirstStart),
    ...signIn(loaded, isShown),
    ...(isFirstStart ? bothWays(address, first) : []),
    `  Model              ${model === 'built-in' ? 'built-in planner (not a language model; set PORTOLAN_LLM_PROVIDER)' : model}`,
    '',
    `  Ask the assistant${first === 'demo' ? ' about the demo organization' : ''}:`,
    '',
    `    TOKEN=$(curl -s ${address}/v1/auth/access_token -H 'content-type: application/json' \\`,
    `      -d '${credentialsText(loaded, isShown)}' | sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')`,
    `    curl -N ${address}/v1/ai/invoke -H "Authorization: Bearer $TOKEN" -H 'content-type: application/json' \\`,
    `      -d '{"userPrompt":"Which services have no owner?"}'`,
    '',
    `  Or: npx portolan ask "which services have no owner?"${address.endsWith(':3000') ? '' : ` --url ${address}`}`,
    '',
    '',
  ];
  return lines.join('\n');
}

/** What is in the organization that was just made, and how to start with the other. */
function bothWays(address: string, first: WelcomeInput['first']): string[] {
  if (first === 'demo') {
    return [
      '  Organization       the demo, with invented data. To start with your own, and the demo beside it:',
      '                     PORTOLAN_DEMO=beside PORTOLAN_DATA_DIR=.portolan-own npm start',
    ];
  }
  const steps = `  Organization       empty; the first steps are at ${address}/first-steps.`;
  if (first === 'beside') {
    return [steps, '                     The demo is beside it: switch in the user menu, or remove it there.'];
  }
  return [steps, '                     To look at the demo beside it: "Add the demo" there, or: npx portolan demo add'];
}

/** The generated password is printed when it is made, and kept where the other secrets are. */
function portalUser({ secrets, set }: LoadedSecrets, isFirstStart: boolean): string[] {
  if (!isFirstStart) return [];
  const password = set.has('adminPassword') ? '(as set in PORTOLAN_ADMIN_PASSWORD)' : secrets.adminPassword;
  return [`  Portal user        ${secrets.adminEmail}`, `  Password           ${password}`];
}

/** What the operator set is known to whoever may know it, and is never printed; what was generated is, once. */
function signIn({ secrets, set, file }: LoadedSecrets, isShown: boolean): string[] {
  const isSet = set.has('clientSecret');
  if (!isShown) return [`  Credentials        ${isSet ? 'as set in the environment' : file}`];
  return [
    `  Client id          ${secrets.clientId}`,
    `  Client secret      ${isSet ? '(as set in PORTOLAN_CLIENT_SECRET)' : secrets.clientSecret}`,
    ...(isSet ? [] : [`                     shown once; kept in ${file}`]),
  ];
}

function credentialsText({ secrets, set }: LoadedSecrets, isShown: boolean): string {
  const { clientId, clientSecret } = secrets;
  if (isShown && !set.has('clientSecret')) return `{"clientId":"${clientId}","clientSecret":"${clientSecret}"}`;
  return `{"clientId":"${clientId}","clientSecret":"<client secret>"}`;
}
