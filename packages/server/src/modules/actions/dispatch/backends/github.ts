import { OutgoingFailure } from '../../../../platform/outgoing/outgoing.ts';
import type { ActionsDeps } from '../../actions.deps.ts';
import { type Backend, type BackendOutcome, failed, isTrue, parseContent } from '../backend.ts';
import { answerFailure, isName, toText, toTexts } from './answers.ts';
import { type GitHubApi, githubApi, githubPath } from './github-api.ts';

/**
 * Starts a GitHub Actions workflow (`workflow_dispatch`). The run ends with the workflow, unless `reportWorkflowStatus`
 * is false: then it waits for a report.
 */
export function githubBackend(deps: ActionsDeps): Backend {
  return async ({ method, actor, signal }) => {
    const { org, repo, workflow, reportWorkflowStatus } = method;
    if (!isName(org) || !isName(repo) || !isName(workflow)) {
      return failed('"org", "repo" and "workflow" must each come to a name');
    }
    const api = await githubApi(deps, actor, signal);
    if (typeof api === 'string') return failed(`The workflow cannot be started: ${api}`);
    // as with other executors, the input "ref" names the branch
    const { ref: named, ...inputs } = (method['workflowInputs'] ?? {}) as Record<string, unknown>;
    const since = deps.clock.now().toISOString();
    try {
      const ref =
        toText(method['ref']) ?? toText(method['branch']) ?? toText(named) ?? (await mainBranch(api, org, repo));
      if (typeof ref !== 'string') return ref;
      const path = `/repos${githubPath(org, repo)}/actions/workflows${githubPath(workflow)}/dispatches`;
      const answer = await api.ask('POST', path, { ref, inputs: toTexts(inputs) });
      if (answer.status < 200 || answer.status >= 300) return answerFailure('GitHub', answer);
      const started = parseContent(answer.body) as { workflow_run_id?: unknown; html_url?: unknown } | null;
      const follow = { org, repo, workflow, ref, since };
      return {
        kind: 'accepted',
        ...(reportWorkflowStatus === undefined || reportWorkflowStatus === null || isTrue(reportWorkflowStatus)
          ? { follow }
          : {}),
        // newer servers return the id of the run
        ...(started?.workflow_run_id ? { externalRunId: String(started.workflow_run_id) } : {}),
        ...(typeof started?.html_url === 'string' ? { link: started.html_url } : {}),
      };
    } catch (error) {
      if (!(error instanceof OutgoingFailure)) throw error;
      return { kind: 'failed', message: error.message, canRetry: error.kind !== 'refused' };
    }
  };
}

async function mainBranch(api: GitHubApi, org: string, repo: string): Promise<string | BackendOutcome> {
  const answer = await api.ask('GET', `/repos${githubPath(org, repo)}`);
  if (answer.status !== 200) return answerFailure('GitHub', answer);
  const branch = (parseContent(answer.body) as { default_branch?: unknown } | null)?.default_branch;
  return typeof branch === 'string' ? branch : failed('GitHub did not tell the default branch; name a "ref"');
}
