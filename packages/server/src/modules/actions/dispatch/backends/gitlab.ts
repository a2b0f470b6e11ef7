import { OutgoingFailure } from '../../../../platform/outgoing/outgoing.ts';
import type { ActionsDeps } from '../../actions.deps.ts';
import { type Backend, failed, isTrue, parseContent } from '../backend.ts';
import { secretsWithheld, usableSecrets } from '../secrets-for.ts';
import { answerFailure, followedIf, isName, toText, toTexts } from './answers.ts';

const home = 'https://gitlab.com';

/**
 * Triggers a GitLab pipeline with its project's trigger token. The run waits for a report; with `reportWorkflowStatus`
 * it ends with the pipeline.
 */
export function gitlabBackend(deps: ActionsDeps): Backend {
  const { outgoing, clock } = deps;
  return async ({ method, actor, signal }) => {
    const { groupName: group, projectName: project } = method;
    if (!isName(group) || !isName(project)) return failed('"groupName" and "projectName" must each come to a name');
    const known = await usableSecrets(deps, actor);
    if (!known) return failed(`The pipeline cannot be triggered: ${secretsWithheld}`);
    const secretName = tokenSecret(group, project);
    const token = known[secretName];
    if (!token)
      return failed(`Triggering this pipeline needs its trigger token as the organization secret ${secretName}`);
    const base = (known['GITLAB_URL'] || home).trim().replace(/\/+$/, '');
    const ref = toText(method['defaultRef']) ?? 'main';
    const since = clock.now().toISOString();
    const variables = toTexts((method['pipelineVariables'] ?? {}) as Record<string, unknown>);
    try {
      const answer = await outgoing.send({
        url: `${base}/api/v4/projects/${encodeURIComponent(`${group}/${project}`)}/trigger/pipeline`,
        headers: { 'content-type': 'application/json', 'user-agent': 'portolan' },
        body: JSON.stringify({ token: token.trim(), ref, variables }),
        signal,
      });
      if (answer.status < 200 || answer.status >= 300) return answerFailure('GitLab', answer);
      const pipeline = parseContent(answer.body) as { id?: unknown; web_url?: unknown } | null;
      return {
        kind: 'accepted',
        ...(pipeline?.id === undefined ? {} : { externalRunId: String(pipeline.id) }),
        ...(typeof pipeline?.web_url === 'string' ? { link: pipeline.web_url } : {}),
        ...(isTrue(method['reportWorkflowStatus']) && pipeline?.id !== undefined
          ? followedIf(known['GITLAB_TOKEN'], 'GITLAB_TOKEN', {
              service: 'GITLAB',
              org: group,
              repo: project,
              workflow: '',
              ref,
              since,
            })
          : {}),
      };
    } catch (error) {
      if (!(error instanceof OutgoingFailure)) throw error;
      return { kind: 'failed', message: error.message, canRetry: error.kind !== 'refused' };
    }
  };
}

/** `<group>_<project>`, with `_` for characters that secret names may not have. */
function tokenSecret(group: string, project: string): string {
  return `${group}_${project}`.replace(/[^A-Za-z0-9_-]/g, '_');
}
