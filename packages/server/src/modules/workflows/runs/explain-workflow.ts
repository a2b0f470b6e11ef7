import { toRecord } from '@portolan/contract/json-value';
import type { WorkflowExplanation, WorkflowVerdict } from '@portolan/contract/workflow-explanations';
import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { findActor } from '../../accounts/index.ts';
import { listAllNodes } from '../definitions/bodies.ts';
import type { DefinitionsDeps } from '../definitions/definitions.deps.ts';
import { getWorkflow } from '../definitions/read-workflows.ts';
import {
  isPublishedForm,
  readPermissions,
  type StartRights,
  type StartRule,
  startRights,
} from '../definitions/trigger-rights.ts';
import type { StoredWorkflow, WorkflowNode } from '../definitions/workflow.ts';
import { declaredResponders, findAddresses } from './declared-responders.ts';
import { isNamedResponder } from './responders.ts';

/**
 * What a user may do with a workflow, decided by the code that decides it when they try.
 * @throws AppError `not_found`, `missing_permissions` for whoever asks about somebody else without being an administrator
 */
export async function explainWorkflow(
  deps: DefinitionsDeps,
  actor: Actor,
  identifier: string,
  asked: string | undefined,
): Promise<WorkflowExplanation> {
  const workflow = await getWorkflow(deps, actor, identifier);
  const subject = await findSubject(deps, actor, asked);
  const rights = await startRights(deps, deps.database, subject, [workflow.key]);
  const forms = workflow.definition.nodes.filter(({ config }) => config.type === 'SELF_SERVE_TRIGGER');
  const questions = listAllNodes(workflow.definition).flatMap(({ part }) =>
    part.config.type === 'INPUT' ? [part] : [],
  );
  const start = await Promise.all(
    forms.map(async (node) => ({ ...named(node), ...(await explainStart(rights, workflow, node)) })),
  );
  return {
    workflow: { identifier: workflow.identifier, version: workflow.version },
    user: { identifier: subject.userId ?? subject.id, roles: [...subject.roles] },
    see: await explainSee(rights, subject, workflow),
    change: isAdmin(subject) ? yes('admin', 'Administrators save workflows') : no('Only administrators save workflows'),
    seeRuns: explainRuns(subject, workflow),
    start,
    respond: await Promise.all(
      questions.map(async (node) => ({ ...named(node), ...(await explainRespond(deps, subject, node)) })),
    ),
  };
}

async function findSubject(deps: DefinitionsDeps, actor: Actor, asked: string | undefined): Promise<Actor> {
  if (asked === undefined || asked.toLowerCase() === actor.userId?.toLowerCase()) return actor;
  if (!isAdmin(actor)) throw new AppError('missing_permissions', 'Only administrators ask what others may do');
  const found = await findActor(deps.database, actor.orgId, { kind: 'person', id: asked });
  if (!found) throw notFound('Active user', asked);
  return found;
}

function named({ identifier, title }: WorkflowNode) {
  return { nodeIdentifier: identifier, title: title ?? null };
}

type Rule = NonNullable<WorkflowVerdict['rule']>;
const yes = (rule: Rule, why: string): WorkflowVerdict => ({ allowed: 'yes', rule, why });
const no = (why: string): WorkflowVerdict => ({ allowed: 'no', rule: null, why });
const depends = (rule: Rule, why: string): WorkflowVerdict => ({ allowed: 'depends', rule, why });

const startWords: Readonly<Record<StartRule, string>> = {
  admin: 'Administrators start every workflow',
  role: 'The form names a role of theirs',
  team: 'The form names a team of theirs',
  user: 'The form names them',
  policy: 'The policy of the form admits them',
};

async function explainStart(
  rights: StartRights,
  workflow: StoredWorkflow,
  node: WorkflowNode,
): Promise<WorkflowVerdict> {
  if (!isPublishedForm(node)) return no('The form is not published, so nobody starts it');
  const rule = await rights.ruleFor(workflow, node);
  if (rule) return yes(rule, startWords[rule]);
  const { policy, users = [], roles = [], teams = [] } = readPermissions(node);
  if (policy)
    return depends('policy', 'No list of the form names them, and its policy admits them by their inputs, if at all');
  if (users.length + roles.length + teams.length === 0)
    return no('The form names nobody, so administrators alone start it');
  return no('None of the users, roles and teams that the form names fits');
}

async function explainSee(rights: StartRights, subject: Actor, workflow: StoredWorkflow): Promise<WorkflowVerdict> {
  if (isAdmin(subject)) return yes('admin', 'Administrators see every workflow');
  if (await rights.maySee(workflow)) return yes('starter', 'Whoever may start a workflow sees it');
  return no('Only administrators and those who may start it see a workflow');
}

/** As `maySeeRun` decides. */
function explainRuns(subject: Actor, { definition }: StoredWorkflow): WorkflowVerdict {
  if (isAdmin(subject)) return yes('admin', 'Administrators see every run');
  if (definition.allowAnyoneToViewRuns) return yes('everybody', 'Everybody sees the runs of this workflow');
  return depends('starter', 'They see runs that they started, or in which they may respond or have responded');
}

async function explainRespond(deps: DefinitionsDeps, subject: Actor, node: WorkflowNode): Promise<WorkflowVerdict> {
  const { users, roles, teams, usersQuery, isNobody, excludesRequester } = declaredResponders(node);
  const addresses = await findAddresses(deps, subject.orgId, users);
  const lists = isNobody ? { users: [], roles: ['Admin'], teams: [] } : { users: addresses, roles, teams };
  const rule = await findResponderRule(deps, subject, lists);
  const query = toRecord(usersQuery);
  if (rule === undefined) {
    if (Object.keys(query).length > 0)
      return depends('query', 'The query for responders decides when the step begins to wait');
    return no(
      isNobody
        ? 'The step names nobody, so administrators alone respond'
        : 'The step names neither them nor a role or team of theirs',
    );
  }
  const why = isNobody ? 'The step names nobody, so administrators respond' : respondWords[rule];
  return excludesRequester ? depends(rule, `${why}, but not in runs that they started`) : yes(rule, why);
}

const respondWords = {
  user: 'The step names them',
  role: 'The step names a role of theirs',
  team: 'The step names a team of theirs',
} as const;

type ResponderRule = keyof typeof respondWords;

/** The first list that names somebody. */
async function findResponderRule(
  { database }: DefinitionsDeps,
  subject: Actor,
  { users, roles, teams }: Readonly<Record<'users' | 'roles' | 'teams', readonly string[]>>,
): Promise<ResponderRule | undefined> {
  const nobody = { users: [], roles: [], teams: [], excluded: [] };
  const lists = [
    { rule: 'user', names: users, only: { users } },
    { rule: 'role', names: roles, only: { roles } },
    { rule: 'team', names: teams, only: { teams } },
  ] as const;
  for (const { rule, names, only } of lists) {
    if (names.length > 0 && (await isNamedResponder(database, subject, { responders: { ...nobody, ...only } })))
      return rule;
  }
  return undefined;
}
