/** The installation that a user agent names, with the prefix and suffix that all versions of its client share. */
export interface Source {
  readonly installationId: string;
  readonly prefix: string;
  readonly suffix: string;
}

const framework = /^(port-ocean\/[^/]+\/)[^/]*(\/(.+)\/(?:exporter|gitops))$/;
const exporter = /^(port-k8s-exporter).*(\(statekey\/(.+)\))$/;

/** Parses the user agents of the two kinds of clients that delete their own stale entities (api contract §1.8). */
export function parseDatasource(datasource: string): Source | undefined {
  const [, prefix, suffix, installationId] = framework.exec(datasource) ?? exporter.exec(datasource) ?? [];
  if (prefix === undefined || suffix === undefined || installationId === undefined) return undefined;
  return { installationId, prefix, suffix };
}
