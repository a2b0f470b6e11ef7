import type { LoadedSecrets } from './secrets.ts';

export interface WelcomeInput {
  readonly address: string;
  readonly role: 'all' | 'web' | 'worker';
  readonly loaded: LoadedSecrets;
  readonly isFirstStart: boolean;
  readonly isDemo: boolean;
  readonly model: string;
}

/** What a start prints: where it is, how to sign in, and one command that asks the assistant. */
export function welcome({ address, role, loaded, isFirstStart, isDemo, model }: WelcomeInput): string {
  if (role === 'worker') return 'Portolan worker is running.\n';
  const { secrets, file } = loaded;
  const lines = [
    '',
    `  Portolan is running at ${address}`,
    '',
    `  API reference      ${address}/docs`,
    ...portalUser(loaded, isFirstStart),
    ...signIn(secrets, file, isFirstStart || loaded.isNew),
    `  Model              ${model === 'built-in' ? 'built-in planner (not a language model; set PORTOLAN_LLM_PROVIDER)' : model}`,
    '',
    `  Ask the assistant${isDemo ? ' about the demo organization' : ''}:`,
    '',
    `    TOKEN=$(curl -s ${address}/v1/auth/access_token -H 'content-type: application/json' \\`,
    `      -d '${credentialsText(secrets, file, isFirstStart || loaded.isNew)}' | sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')`,
    `    curl -N ${address}/v1/ai/invoke -H "Authorization: Bearer $TOKEN" -H 'content-type: application/json' \\`,
    `      -d '{"userPrompt":"Which services have no owner?"}'`,
    '',
    `  Or: npx portolan ask "which services have no owner?"`,
    '',
    '',
  ];
  return lines.join('\n');
}

/** The generated password is printed when it is made, and kept where the other secrets are. */
function portalUser({ secrets, set }: LoadedSecrets, isFirstStart: boolean): string[] {
  if (!isFirstStart) return [];
  const password = !set.has('adminPassword') ? secrets.adminPassword : '(as set in PORTOLAN_ADMIN_PASSWORD)';
  return [`  Portal user        ${secrets.adminEmail}`, `  Password           ${password}`];
}

function signIn(secrets: LoadedSecrets['secrets'], file: string | undefined, isShown: boolean): string[] {
  if (!isShown) return [`  Credentials        ${file ?? 'as set in the environment'}`];
  return [
    `  Client id          ${secrets.clientId}`,
    `  Client secret      ${file ? secrets.clientSecret : '(as set in PORTOLAN_CLIENT_SECRET)'}`,
    ...(file ? [`                     shown once; kept in ${file}`] : []),
  ];
}

/** A secret is printed once; afterwards the command reads the file. */
function credentialsText(secrets: LoadedSecrets['secrets'], file: string | undefined, isShown: boolean): string {
  const { clientId, clientSecret } = secrets;
  if (isShown && file) return `{"clientId":"${clientId}","clientSecret":"${clientSecret}"}`;
  return `{"clientId":"${clientId}","clientSecret":"<client secret>"}`;
}
