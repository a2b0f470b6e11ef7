import { NativeSelect, Text } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { issueAt } from '../../../kit/refusal.ts';
import { t } from '../../../kit/translate.ts';
import { addUndoing, listUndoing, mayBeUndone, setUndoing, undoneBy } from '../document/compensations.ts';
import type { Definition, WorkflowNode } from '../document/definition.ts';
import { freshName } from '../document/edits.ts';
import type { Fault } from '../document/faults.ts';
import { findKind, stepKinds } from '../node-kinds.ts';

/** No name of a step. */
const another = '\n';

/** Which step undoes what a step did, or which one it undoes. */
export function UndoSelect({
  node,
  draft,
  faults,
  onChange,
  onSelect,
}: {
  node: WorkflowNode;
  draft: Definition;
  faults: readonly Fault[];
  onChange: (next: Definition) => void;
  onSelect: (node: string) => void;
}) {
  const { identifier, compensatedBy } = node;
  const undone = undoneBy(draft, identifier);
  if (undone) {
    const title = undone.title || undone.identifier;
    return (
      <Text size="sm" c="dimmed">
        {t('Undoes {title}, once the run fails or is cancelled. No connection leads here.', { title })}
      </Text>
    );
  }
  if (!compensatedBy && !mayBeUndone(draft, node)) return null;
  const choices = listUndoing(draft, identifier);
  const isListed = !compensatedBy || choices.some((each) => each.identifier === compensatedBy);
  const add = () => {
    const kind = stepKinds.find(({ type }) => type === 'WEBHOOK');
    if (!kind) return;
    const name = freshName(
      `undo_${identifier}`.slice(0, 60),
      draft.nodes.map((each) => each.identifier),
    );
    const title = t('Undo {title}', { title: node.title || identifier });
    onChange(addUndoing(draft, identifier, { identifier: name, title, config: kind.fresh() }));
    onSelect(name);
  };
  return (
    <NativeSelect
      label={t('Undone by')}
      description={t('A step outside the graph; it runs if the run fails or is cancelled after this one succeeded')}
      data={[
        { value: '', label: t('Nothing') },
        ...choices.map((each) => ({
          value: each.identifier,
          label: `${each.title || each.identifier} (${findKind(each.config.type).label})`,
        })),
        ...(isListed ? [] : [{ value: compensatedBy ?? '', label: compensatedBy ?? '' }]),
        { value: another, label: t('A new step …') },
      ]}
      value={compensatedBy ?? ''}
      error={issueAt(faults, 'compensatedBy')}
      onChange={({ currentTarget: { value } }) => {
        if (value === another) add();
        else onChange(setUndoing(draft, identifier, value || undefined));
      }}
      rightSection={<ChevronDown size={14} aria-hidden="true" />}
    />
  );
}
