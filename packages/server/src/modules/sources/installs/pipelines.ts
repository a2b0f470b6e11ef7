import type { InstallCommand } from '@portolan/contract/installs';
import { toSnake } from '../catalogue/settings-form.ts';
import { reachableFrom } from './addresses.ts';
import {
  clientEnvironment,
  clientImage,
  clientSecretVariable,
  type Runnable,
  secretEnvironment,
  secretVariable,
  settingText,
} from './runnable.ts';
import { quote, yamlText } from './shell.ts';

/** Pipelines that run the client once on a schedule; secrets are variables of the pipeline. */
export function pipelines(run: Runnable): InstallCommand[] {
  const { url, warning } = reachableFrom('pipeline', run.publicUrl);
  const shared = { language: 'yaml', warning } as const;
  return [
    {
      ...shared,
      way: 'github',
      title: 'GitHub workflow',
      file: `.github/workflows/${run.installationId}.yml`,
      text: github(run, url),
    },
    { ...shared, way: 'gitlab', title: 'GitLab CI', file: '.gitlab-ci.yml', text: gitlab(run, url) },
    { ...shared, way: 'azure', title: 'Azure pipeline', file: 'azure-pipelines.yml', text: azure(run, url) },
  ];
}

function github(run: Runnable, url: string): string {
  // the action takes its settings as YAML, of which JSON is a part
  const settings = Object.entries(run.settings).map(
    ([name, value]) => `${toSnake(name)}: ${yamlText(settingText(value))}`,
  );
  const secrets = run.secrets.map(
    (name) => `${toSnake(name)}: \${{ toJSON(secrets.${secretVariable(run.type, name)}) }}`,
  );
  const config = [...settings, ...secrets].map((line) => `\n            ${escapeExpression(line, secrets)}`).join('');
  return `name: ${run.installationId}
on:
  workflow_dispatch:
  schedule:
    - cron: ${yamlText(cron(run.resyncMinutes))}
jobs:
  sync:
    runs-on: ubuntu-latest
    steps:
      - uses: port-labs/ocean-sail@v1
        with:
          type: ${run.type}
          identifier: ${run.installationId}${run.version === null ? '' : `\n          version: ${run.version}`}
          port_client_id: ${run.clientId}
          port_client_secret: \${{ secrets.${clientSecretVariable} }}
          port_base_url: ${yamlText(url)}${config === '' ? '' : `\n          config: |${config}`}
`;
}

/** What somebody typed must not be read as an expression of the workflow. */
function escapeExpression(line: string, own: readonly string[]): string {
  return own.includes(line) ? line : line.replaceAll('${{', `\${{ '\${{' }}`);
}

function gitlab(run: Runnable, url: string): string {
  return `${run.installationId}:
  image: docker:27
  services: ["docker:27-dind"]
  script:
    - |
${indent(dockerRun(run, url), 6)}
`;
}

function azure(run: Runnable, url: string): string {
  const secrets = secretEnvironment(run).map(([, variable]) => `      ${variable}: $(${variable})`);
  return `schedules:
  - cron: ${yamlText(cron(run.resyncMinutes))}
    branches: { include: [main] }
    always: true
pool: { vmImage: ubuntu-latest }
steps:
  - script: |
${indent(dockerRun(run, url), 6)}
    env:
${secrets.join('\n')}
`;
}

function dockerRun(run: Runnable, url: string): string {
  return [
    'docker run --rm',
    ...clientEnvironment(run, url, 'ONCE').map(([name, value]) => `  -e ${quote(`${name}=${value}`)}`),
    ...secretEnvironment(run).map(([name, variable]) => `  -e ${name}="$${variable}"`),
    `  ${clientImage(run)}`,
  ].join(' \\\n');
}

function indent(text: string, columns: number): string {
  return text.replace(/^/gm, ' '.repeat(columns));
}

/** The nearest schedule that a pipeline can have; hourly at most. */
function cron(minutes: number): string {
  const hours = Math.min(24, Math.max(1, Math.round(minutes / 60)));
  return hours === 24 || minutes === 0 ? '0 3 * * *' : `0 */${hours} * * *`;
}
