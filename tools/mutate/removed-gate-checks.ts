import { type FixRow, removalsFrom } from './removed-fixes.ts';

const modules = 'packages/server/src/modules';
const entities = `${modules}/entities`;
const gate = `${modules}/access/permit-entity-write.ts`;

/** The checks of the gate of entity writes, and the places that ask it. */
const checks: readonly FixRow[] = [
  [
    'somebody without any right to write here is refused first',
    gate,
    "«if (!mayCreate && !mayUpdate) authorise(actor, expects === 'new' ? 'register' : 'update', blueprint);»",
    '',
  ],
  ['a run that has ended writes nothing', gate, '«await assertRun(work);»', ''],
  [
    'what is about hidden entities is hidden to writers',
    gate,
    'boolean =>\n    «!concealed.has(entity.key)» &&',
    'true',
  ],
  [
    'a hidden entity answers as a missing one',
    gate,
    '&& «isVisible(actor, blueprint, entity, metBy(entity.key))»;',
    'true',
  ],
  [
    'a change of what is hidden is refused as of what is missing',
    gate,
    "«if (expects === 'existing') throw entityMissing(blueprint, target);»",
    '',
  ],
  [
    'who may not register is refused before the body is looked at',
    gate,
    "      «authorise(actor, 'register', blueprint);»\n      if (before",
    '',
  ],
  [
    'an upsert does not write over what is hidden',
    gate,
    "«if (before && expects !== 'new') throw entityMissing(blueprint, target);»",
    '',
  ],
  [
    'a new entity is registered by who may',
    gate,
    "«if (!before && !canOn(actor, 'register', blueprint, subject)) return forbidden('register', blueprint);»",
    '',
  ],
  [
    'each part is set by who may set it',
    gate,
    'refused = parts.filter(([part, key]) => «!canUpdatePart(actor, blueprint, part, key, subject)»);',
    'false',
  ],
  [
    'the teams before the write decide',
    gate,
    'teamRefs: «before ? before.teamRefs : (ownTeamRefs ?? [])», met };',
    'ownTeamRefs ?? before?.teamRefs ?? []',
  ],
  [
    'the policies satisfied before the write decide',
    gate,
    '«item.before ? metBy(item.before.key) : metByDraft(position)»;',
    "new Set<GrantName>(['register', 'update'])",
  ],
  [
    'what relations create on the way is registered by who may',
    gate,
    "return «canOn(actor, 'register', blueprint, { teamRefs: [] })» ? undefined",
    'true',
  ],
  [
    'the assistant is asked by who may register invocations',
    gate,
    "«canOn(work.actor, 'register', blueprint, { teamRefs: [], met: metBy(0) })»;",
    'true',
  ],
  ['a deletion begins with some right to delete', gate, "«authorise(actor, 'unregister', blueprint);»", ''],
  [
    'a blank written as + tells nothing of what is hidden',
    gate,
    '«isVisible(work.actor, blueprint, entity, met(entity.key))»',
    'true',
  ],
  ['what is about hidden entities is hidden to who deletes', gate, 'isSeen = «!concealed.has(entity.key)» &&', 'true'],
  ['a hidden entity cannot be deleted by its name', gate, "if («cause === 'named' && !isSeen») refusals", 'false'],
  [
    'a hidden entity does not go along',
    gate,
    "else if («cause === 'required' && !(isSeen && can(actor, 'read', blueprint))») refusals",
    'false',
  ],
  [
    'an entity is deleted by who may',
    gate,
    "else if («!canOn(actor, 'unregister', blueprint, { teamRefs: entity.teamRefs, met })») {",
    'false',
  ],
  [
    'a write asks whether the entity may be seen',
    `${entities}/write-entities.ts`,
    '«gate.admit(item.target, before);»',
    '',
  ],
  [
    'what the gate refuses is not written',
    `${entities}/write-entities.ts`,
    'allowed.filter(({ index }) => «!refusals.has(index)»);',
    'true',
  ],
  [
    'a refusal ends a deletion',
    `${entities}/delete-entities.ts`,
    'entityMissing(blueprint, identifier);\n    «if (refusal) throw refusal;»',
    '',
  ],
  [
    'a refusal of what goes along ends a deletion',
    `${entities}/delete-entities.ts`,
    'refusals.get(key);\n        «if (refusal) throw refusal;»',
    '',
  ],
  [
    'undoing a migration deletes what its author may',
    `${modules}/data-migrations/undo-entities.ts`,
    'return «!refusal»;',
    'true',
  ],
];

export const removedGateChecks = removalsFrom(checks);
