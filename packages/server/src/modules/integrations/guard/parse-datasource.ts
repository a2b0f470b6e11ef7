/** Which integration writes with a user agent, and what all its versions write with. */
export interface Source {
  readonly installationId: string;
  readonly prefix: string;
  readonly suffix: string;
}

const framework = /^(port-ocean\/[^/]+\/)[^/]*(\/(.+)\/(?:exporter|gitops))$/;
const exporter = /^(port-k8s-exporter).*(\(statekey\/(.+)\))$/;

/** Reads the user agents of the two kinds of clients that clean up after themselves (api contract §1.8). */
export function parseDatasource(datasource: string): Source | undefined {
  const [, prefix, suffix, installationId] = framework.exec(datasource) ?? exporter.exec(datasource) ?? [];
  if (prefix === undefined || suffix === undefined || installationId === undefined) return undefined;
  return { installationId, prefix, suffix };
}
