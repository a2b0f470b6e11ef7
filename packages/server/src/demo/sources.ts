/** User agents of the tools that keep this catalog up to date; an entity's `datasource` is the last writer's. */
export const sources = {
  github: 'port-ocean/github-cloud/5.2.1/halyard-github/exporter',
  kubernetes: 'port-k8s-exporter/^0.3.4 (statekey/halyard-prod-eu)',
  incidentHook: 'halyard-pager-webhook/2.4',
  gitOps: 'port-ocean/github-cloud/5.2.1/halyard-github/gitops',
  pipeline: 'github-action/v1.0',
} as const;

/** The installation that syncs repositories and carries out workload restarts. */
export const githubInstallation = 'halyard-github';
