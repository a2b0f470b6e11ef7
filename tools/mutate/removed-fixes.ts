import type { Mutant } from './mutant.ts';

/** One protection of what people and credentials may do, and the source without it. */
export interface RemovedFix {
  /** What the protection says, in words. */
  readonly fix: string;
  readonly file: string;
  /** The place between « and », with as much around it as tells it from others. */
  readonly place: string;
  /** What stands there without the protection; nothing where the statement goes. */
  readonly without: string;
}

const modules = 'packages/server/src/modules';
const platform = 'packages/server/src/platform';
const authority = `${modules}/accounts/authority`;
const dispatch = `${modules}/actions/dispatch`;
const runs = `${modules}/actions/runs`;

/** As it is written in the lists. */
export type FixRow = readonly [fix: string, file: string, place: string, without: string];

/** A protection each; without any one of them an attack, or else another test, is to turn red. */
const fixes: readonly FixRow[] = [
  [
    'a change gives nobody more than its author holds',
    `${authority}/permit.ts`,
    'const refused = «gains.filter(({ authority }) => !coversAuthority(held, authority))»;',
    '[] as Gain[]',
  ],
  [
    'an authority is covered only with its roles',
    `${platform}/authority.ts`,
    '«other.roles.every((role) => hasRole(holder, role))» &&',
    'true',
  ],
  [
    'an authority is covered only with its teams',
    `${platform}/authority.ts`,
    '«other.teamKeys.every((team) => hasTeam(holder, team))» &&',
    'true',
  ],
  [
    'an authority is covered only with its scopes',
    `${platform}/authority.ts`,
    '«coversScopes(holder.scopes, other.scopes)»\n',
    'true',
  ],
  [
    'status and role of users are set with scopes of users',
    `${authority}/people.ts`,
    '...«standingGains(before, after)»',
    '[]',
  ],
  ['a role is given by who has it', `${authority}/people.ts`, '...«roleGains(before, after)»', '[]'],
  [
    'people are put into teams with rights by who has these',
    `${authority}/people.ts`,
    '...«(await teamGains(tx, actor, before, after))»',
    '[]',
  ],
  [
    'whom a grant names already is admitted by who has the right',
    `${authority}/people.ts`,
    '...«(await addressGains(tx, actor, before, after))»',
    '[]',
  ],
  [
    'a way to act as somebody is made by who may do all of it',
    `${authority}/become.ts`,
    'permit(maker.authority, way, «[await findGain(reader, maker, person, isUnused)]»)',
    '[]',
  ],
  [
    'the first way in only',
    `${authority}/become.ts`,
    '«isUnused && (await isPlainMember(reader, orgId, person))»',
    'await isPlainMember(reader, orgId, person)',
  ],
  [
    'the first way in for plain members only',
    `${authority}/become.ts`,
    '«isUnused && (await isPlainMember(reader, orgId, person))»',
    'isUnused',
  ],
  [
    'who is in a team with rights is no plain member',
    `${authority}/become.ts`,
    '«(await carryingTeams(reader, orgId, teamKeys)).length > 0»',
    'false',
  ],
  [
    'whom a grant names is no plain member',
    `${authority}/become.ts`,
    '«(await rightsOfAddress(reader, orgId, identifier)).length === 0»',
    'true',
  ],
  [
    'a link is judged again when it is redeemed',
    `${modules}/sign-in/passwords/password-links.ts`,
    '«await assertStillPermitted(work.tx, link, current);»',
    '',
  ],
  [
    'a team with rights is renamed by who has these',
    `${authority}/teams.ts`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a piece of a source
    '«permitForTeam(work, held, team, before.key, (title) => `renaming the team "${title}", which has rights,`)»',
    'permit(held, team, [])',
  ],
  [
    'a team with rights is left to a provider by who has these',
    `${authority}/teams.ts`,
    'return «permitForTeam(work, actorAuthority(work.actor), binding, key, what)»;',
    'Promise.resolve(permit(actorAuthority(work.actor), binding, []))',
  ],
  [
    'a team that a grant names has rights',
    `${authority}/carried-rights.ts`,
    '«grant.teams?.includes(team) || asksForTeams(grant)»',
    'asksForTeams(grant)',
  ],
  [
    'a team has rights where a policy asks for teams',
    `${authority}/carried-rights.ts`,
    '«grant.teams?.includes(team) || asksForTeams(grant)»',
    'grant.teams?.includes(team)',
  ],
  [
    'a team has the rights that a grant leaves to owners',
    `${authority}/carried-rights.ts`,
    'const owned = «ofOwners.size === 0 ? [] : await listOwnerships(reader, orgId, teamKeys, [...ofOwners.keys()])»;',
    '[] as Awaited<ReturnType<typeof listOwnerships>>',
  ],
  [
    'from whom owners are inherited is changed by who has what owners may',
    `${authority}/deciding-data.ts`,
    '«isOwnership && grant.ownedByTeam === true»',
    'false',
  ],
  [
    'what policies look at is changed by who has what they give',
    `${authority}/deciding-data.ts`,
    '|| «effectivePolicy(grant) !== undefined»,',
    'false',
  ],
  [
    'grants are given by who has what they allow',
    `${authority}/grants.ts`,
    'const gains = «changes.filter(isGiving)».map(',
    '([] as GrantChange[])',
  ],
  [
    'grants on actions are judged',
    `${modules}/actions/change-action-permissions.ts`,
    'permitGrants(actor, rights, «listGrantChanges(action, rights)»)',
    '[]',
  ],
  [
    'grants on pages are judged',
    `${modules}/pages/change-page-permissions.ts`,
    'permitGrants(actor, wanted, «listGrantChanges(page, wanted)»)',
    '[]',
  ],
  [
    'grants on servers of others are judged',
    `${modules}/connectors/write-servers.ts`,
    'permitGrants(actor, server, «[{ before, after: server.rights, what, scopes: grantedScopes.useServer }]»)',
    '[]',
  ],
  [
    'grants on entities are judged',
    `${modules}/blueprints/change-permissions.ts`,
    'permitEntityRights(actor, «blueprint», rights)',
    '{ ...blueprint, rights }',
  ],
  [
    'the secret of credentials is given to who may do as much',
    `${authority}/credentials.ts`,
    "permit(actorAuthority(actor), secret, «[toGain('giving out the secret of credentials', authorityIn(credential))]»)",
    '[]',
  ],
  [
    'credentials get scopes from who has them',
    `${authority}/credentials.ts`,
    ": «[toGain('giving credentials these scopes', authorityIn(after))]»;",
    '[]',
  ],
  [
    'a token gets scopes from who has them',
    `${authority}/credentials.ts`,
    "permit(actorAuthority(actor), token, «[toGain('giving out this API token', authority)]»)",
    '[]',
  ],
  [
    'what decides later is set by administrators without restriction',
    `${authority}/credentials.ts`,
    'permit(actorAuthority(actor), value, «[toGain(change, everything)]»)',
    '[]',
  ],
  [
    'requesters are let approve by administrators without restriction',
    `${modules}/identity/organization-settings.ts`,
    "«permitWhole(actor, after, 'letting requesters approve their own runs');»",
    '',
  ],
  [
    'entities of teams are judged as teams',
    `${modules}/people-sync/people-rules.ts`,
    '«await permitTeam(work, toNamedTeam(draft), before?.identifier)»',
    'toNamedTeam(draft) as never',
  ],
  [
    'entities of users are judged as users',
    `${modules}/people-sync/people-rules.ts`,
    '«await permitPerson(work, { ...personOf(draft), teamKeys })»',
    '{ ...personOf(draft), teamKeys } as never',
  ],
  [
    'a group takes over no team with rights',
    `${modules}/sign-in/scim/scim-groups.ts`,
    'const binding = «before.provider === null ? await permitBinding(work, wanted, key) : unchanged(wanted)»;',
    'unchanged(wanted)',
  ],
  [
    'what is saved keeps whose authority it was',
    `${modules}/accounts/saved-authority.ts`,
    'return «{ by: { kind, id }, ...authorityOf(actor) }»;',
    "{ by: { kind, id }, roles: ['Admin'], teamKeys: [] }",
  ],
  [
    'what a run saves is its editor’s, not its own',
    `${modules}/accounts/saved-authority.ts`,
    'const { kind, id } = «actor.standsBehind ?? actor»;',
    'actor',
  ],
  [
    'of a saved authority only as much is left as its editor has today',
    `${modules}/accounts/saved-authority.ts`,
    'return editor && «{ by: saved.by, ...commonAuthority(saved, actorAuthority(editor)) }»;',
    'saved',
  ],
  [
    'nothing acts for an editor who is gone',
    `${modules}/accounts/saved-authority.ts`,
    'return «editor && { by: saved.by, ...commonAuthority(saved, actorAuthority(editor)) }»;',
    'editor ? { by: saved.by, ...commonAuthority(saved, actorAuthority(editor)) } : saved',
  ],
  [
    'whoever saves lends what they have, and takes the place of whoever saved before',
    `${modules}/accounts/saved-authority.ts`,
    'const authority = «saveAuthority(actor)»;',
    'before.authority ?? saveAuthority(actor)',
  ],
  [
    'who rewrites for others lends nothing',
    `${modules}/accounts/saved-authority.ts`,
    'return { authority: «(await findSavedAuthority(tx, actor.orgId, before)) ?? null», isMore: false };',
    'saveAuthority(actor)',
  ],
  [
    'what acts later is bound by the scopes it was saved with',
    `${modules}/accounts/saved-authority.ts`,
    "return «{ ...as, kind: 'machine', ...authority, standsBehind: by }»;",
    "{ ...as, kind: 'machine', roles: authority.roles, teamKeys: authority.teamKeys, standsBehind: by }",
  ],
  [
    'a run has what is left today of the authority it was made with',
    `${dispatch}/run-actors.ts`,
    'return saved && «authorityToday(deps.database, orgId, saved)»;',
    'saved',
  ],
  [
    'an assistant that a run asks is restricted as the request was',
    `${dispatch}/run-actors.ts`,
    'return { ...(«run.requestedWith ? limitTo(asker, run.requestedWith) : asker»), ...marks };',
    'asker',
  ],
  [
    'an assistant that an automation asks has no more than the automation',
    `${dispatch}/run-actors.ts`,
    'return editor && { ...«limitTo(editor, caller)», ...marks };',
    'editor',
  ],
  [
    'a run calls only the operation that its address names',
    `${platform}/http/own-api.ts`,
    'if («operation.id !== call.operation.id») {',
    'false',
  ],
  [
    'an assistant is asked for the person, not for the editor',
    `${platform}/http/own-api.ts`,
    'if («isInvocation(operation)») return',
    "isInvocation(operation) && operation.id === ''",
  ],
  [
    'answers that are kept hold no secrets',
    `${platform}/http/own-api.ts`,
    '«withoutSecrets(answer.raw.res, answer.body)»',
    'answer.body',
  ],
  [
    'what hands out a way in, or decides, is closed to runs',
    `${platform}/http/named-operation.ts`,
    'if («isBarred(operation)») {',
    'false',
  ],
  [
    'what is filled in does not choose the operation',
    `${platform}/http/named-operation.ts`,
    'if («pattern.some((part, at) => !isParameter(part) && shape.segments[at]?.includes(blank))») {',
    'false',
  ],
  [
    'what is filled in leads to no blueprint of the platform (own API)',
    `${dispatch}/backends/webhook.ts`,
    'if («blueprint !== undefined && (await findBlueprint(database, actor.orgId, blueprint))?.isSystem») {',
    'false',
  ],
  [
    'what is filled in leads to no blueprint of the platform (entities)',
    `${dispatch}/backends/upsert-entity.ts`,
    'if («!isNamed && (await findBlueprint(database, actor.orgId, blueprint))?.isSystem») {',
    'false',
  ],
  [
    'an action writes entities with the scope for it',
    `${dispatch}/backends/upsert-entity.ts`,
    '«requireScope(actor, createEntity);»',
    '',
  ],
  [
    'runs decide on no run',
    `${dispatch}/backends/webhook.ts`,
    "const caller: Actor = «{ ...actor, origin: 'AUTOMATION', depth: run.depth + 1 }»;",
    '{ ...actor, depth: run.depth + 1 }',
  ],
  [
    'templates take in secrets with the scope for it',
    `${dispatch}/secrets-for.ts`,
    'return «maySendSecrets(actor)» ? secrets.secretsOf',
    'true',
  ],
  [
    'templates read entities with the scope for it',
    `${dispatch}/template-context.ts`,
    "if («!scopesCover(actor.scopes, 'read:entities')») return undefined;",
    'false',
  ],
  [
    'templates read events with the scope for it',
    `${dispatch}/template-context.ts`,
    "if («!scopesCover(actor.scopes, isOfRun ? 'read:runs' : 'read:entities')») return false;",
    'false',
  ],
  [
    'a webhook writes entities with the scope for it',
    `${modules}/integrations/webhooks/apply-events.ts`,
    '«requireScope(actor, operation);»',
    '',
  ],
  [
    'a webhook deletes entities with the scope for it',
    `${modules}/integrations/webhooks/apply-events.ts`,
    '«requireScope(actor, deleteEntityOperation);»',
    '',
  ],
  [
    'the address of a webhook is shown to who may do as much',
    `${modules}/integrations/webhooks/read-webhooks.ts`,
    'if («!isAdmin(actor) || !mayUse») return { webhook };',
    '!isAdmin(actor)',
  ],
  [
    'data is migrated with the scopes of entities',
    `${modules}/data-migrations/queue-data-migration.ts`,
    'if («!scopesCover(actor.scopes, scope)») throw insufficientScope(scope);',
    'false',
  ],
  [
    'a data migration has no more than whoever asked has today',
    `${modules}/data-migrations/run-data-migration.ts`,
    'if (now) return «limitTo(asked, now)»;',
    'asked',
  ],
  [
    'who runs on behalf of others has no more than themselves',
    `${runs}/start-run.ts`,
    'return { ...«limitTo(actor, caller)», datasource',
    'actor',
  ],
  [
    'whoever asked for a run is no approver of it',
    `${runs}/approvers.ts`,
    'return «new Set(await listRequesters(reader, orgId, id))»;',
    'new Set<string>()',
  ],
  [
    'a requester is refused before anything is decided',
    `${runs}/decision-standing.ts`,
    'const isRequester = «!isDraft && (await findRequesters(deps.database, orgId, run)).has(actor.id)»;',
    'false',
  ],
  [
    'of those who must approve, requesters are none',
    `${runs}/approvers.ts`,
    '=> «users.filter((each) => !requesters.has(each))»;',
    '[...users]',
  ],
  ['no tool, agent or automation decides', `${runs}/decide-run.ts`, '«assertDecider(actor);»', ''],
  [
    'where nobody who was named is left, an administrator is enough',
    `${runs}/approvers.ts`,
    'if («users.length > 0») return { users',
    'true',
  ],
];

export function removalsFrom(rows: readonly FixRow[]): RemovedFix[] {
  return rows.map(([fix, file, place, without]) => ({ fix, file, place, without }));
}

export const removedFixes = removalsFrom(fixes);

/** The place of a fix in the text of its source. @throws Error where it is not there exactly once */
export function toRemoval({ fix, file, place, without }: RemovedFix, text: string): Mutant {
  const [before = '', inside = '', after = ''] = place.split(/[«»]/);
  const at = text.indexOf(before + inside + after);
  const isOnce = at !== -1 && !text.includes(before + inside + after, at + 1);
  if (!isOnce) throw new Error(`${file} does not hold exactly once what "${fix}" names: ${before}${inside}${after}`);
  const start = at + before.length;
  return {
    file,
    start,
    end: start + inside.length,
    replacement: without,
    kind: without === '' ? 'statement' : 'removal',
  };
}
