import type { InstallCommand } from '@portolan/contract/installs';
import { reachableFrom } from './addresses.ts';
import { pipelines } from './pipelines.ts';
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

/** How the client is run, by every way that fits it; texts hold no secret. */
export function installCommands(run: Runnable): InstallCommand[] {
  if (run.type === 'kubernetes') return [exporter(run)];
  const ways = [helm(run), docker(run, 'docker'), docker(run, 'docker-once'), ...pipelines(run), manifest(run)];
  return run.resyncMinutes === 0
    ? ways.filter(({ way }) => way !== 'helm' && way !== 'docker' && way !== 'kubernetes')
    : ways;
}

function lines(command: string, parts: readonly string[]): string {
  return [command, ...parts.map((part) => `  ${part}`)].join(' \\\n');
}

function literal(path: string, value: string): string {
  return `--set-literal ${quote(`${path}=${value}`)}`;
}

function fromVariable(path: string, variable: string): string {
  return `--set-literal ${path}="$${variable}"`;
}

const repository = 'helm repo add --force-update port-labs https://port-labs.github.io/helm-charts\n';

function helm(run: Runnable): InstallCommand {
  const { url, warning } = reachableFrom('cluster', run.publicUrl);
  const settings = Object.entries(run.settings).map(([name, value]) =>
    typeof value === 'object'
      ? `--set-json ${quote(`integration.config.${name}=${JSON.stringify(value)}`)}`
      : literal(`integration.config.${name}`, settingText(value)),
  );
  const text = lines(`helm upgrade --install ${run.installationId} port-labs/port-ocean`, [
    '--create-namespace --namespace ocean',
    literal('port.clientId', run.clientId),
    fromVariable('port.clientSecret', clientSecretVariable),
    literal('port.baseUrl', url),
    '--set initializePortResources=true --set sendRawDataExamples=true',
    `--set scheduledResyncInterval=${run.resyncMinutes}`,
    literal('integration.identifier', run.installationId),
    literal('integration.type', run.type),
    ...(run.version === null ? [] : [literal('integration.version', run.version)]),
    '--set integration.eventListener.type=POLLING',
    ...settings,
    ...run.secrets.map((name) => fromVariable(`integration.secrets.${name}`, secretVariable(run.type, name))),
  ]);
  return { way: 'helm', title: 'Helm', language: 'sh', file: null, text: repository + text, warning };
}

function docker(run: Runnable, way: 'docker' | 'docker-once'): InstallCommand {
  const { url, hostFlag, warning } = reachableFrom('container', run.publicUrl);
  const isOnce = way === 'docker-once';
  const text = lines(
    isOnce ? 'docker run --rm' : `docker run --detach --restart unless-stopped --name ${run.installationId}`,
    [
      ...(hostFlag ? [hostFlag] : []),
      ...clientEnvironment(run, url, isOnce ? 'ONCE' : 'POLLING').map(
        ([name, value]) => `-e ${quote(`${name}=${value}`)}`,
      ),
      ...secretEnvironment(run).map(([name, variable]) => `-e ${name}="$${variable}"`),
      clientImage(run),
    ],
  );
  return { way, title: isOnce ? 'Docker, once' : 'Docker', language: 'sh', file: null, text, warning };
}

function manifest(run: Runnable): InstallCommand {
  const { url, warning } = reachableFrom('cluster', run.publicUrl);
  const name = run.installationId;
  const plain = clientEnvironment(run, url, 'POLLING').map(
    ([variable, value]) => `            - { name: ${variable}, value: ${yamlText(value)} }`,
  );
  const secret = secretEnvironment(run).map(
    ([variable, key]) =>
      `            - { name: ${variable}, valueFrom: { secretKeyRef: { name: ${name}, key: ${key} } } }`,
  );
  const literals = secretEnvironment(run).map(([, variable]) => `--from-literal=${variable}="$${variable}"`);
  const text = `kubectl create secret generic ${name} \\
  ${literals.join(' \\\n  ')}
kubectl apply -f - <<'EOF'
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: 1
  strategy: { type: Recreate }
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      containers:
        - name: client
          image: ${clientImage(run)}
          env:
${[...plain, ...secret].join('\n')}
EOF`;
  return { way: 'kubernetes', title: 'Kubernetes manifest', language: 'sh', file: null, text, warning };
}

function exporter(run: Runnable): InstallCommand {
  const { url, warning } = reachableFrom('cluster', run.publicUrl);
  const text = lines(`helm upgrade --install ${run.installationId} port-labs/port-k8s-exporter`, [
    '--create-namespace --namespace port-k8s-exporter',
    literal('secret.secrets.portClientId', run.clientId),
    fromVariable('secret.secrets.portClientSecret', clientSecretVariable),
    literal('portBaseUrl', url),
    literal('stateKey', run.installationId),
    '--set createDefaultResources=false',
    literal('extraEnv[0].name', 'CLUSTER_NAME'),
    literal('extraEnv[0].value', settingText(run.settings['clusterName'] ?? run.installationId)),
  ]);
  return { way: 'helm', title: 'Helm', language: 'sh', file: null, text: repository + text, warning };
}
