import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../../kit/dialog.tsx';
import { t } from '../../../kit/translate.ts';
import { connectionWay, type Definition, findNode, listWays, type Way, wayKey } from '../document/definition.ts';
import { connect, possibleTargets } from '../document/edits.ts';
import { wayTitle } from '../document/outline.ts';
import { itemKind, type NodeKind, stepKinds, triggerKinds } from '../node-kinds.ts';
import type { Selection } from './selection.ts';
import classes from './workflows.module.css';

/** Chooses what is added. Typing narrows the choice, and Enter takes the first. */
export function AddDialog({
  what,
  isInside = false,
  onAdd,
  onClose,
}: {
  what: 'trigger' | 'add';
  /** The steps of a body have one trigger, of their own. */
  isInside?: boolean;
  onAdd: (kind: NodeKind) => void;
  onClose: () => void;
}) {
  const [term, setTerm] = useState('');
  const words = term.trim().toLowerCase();
  const all = what === 'add' ? stepKinds : isInside ? [itemKind] : triggerKinds;
  const fitting = all.filter(({ label, description, type }) =>
    `${label} ${description} ${type}`.toLowerCase().includes(words),
  );
  return (
    <Dialog opened onClose={onClose} size="lg" title={what === 'trigger' ? t('Add a trigger') : t('Add a step')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (fitting[0]) onAdd(fitting[0]);
        }}
      >
        <TextInput
          label={t('What should it do?')}
          description={t('Enter adds the first of the list')}
          data-autofocus
          mb="md"
          value={term}
          onChange={({ currentTarget }) => setTerm(currentTarget.value)}
        />
        <ul className={classes.kinds}>
          {fitting.map((kind) => (
            <li key={kind.type}>
              <button type="button" className={classes.kind} onClick={() => onAdd(kind)}>
                <kind.icon size={18} aria-hidden="true" />
                <span>
                  {kind.label}
                  <small>{kind.description}</small>
                </span>
              </button>
            </li>
          ))}
        </ul>
      </form>
    </Dialog>
  );
}

const nowhere = '\nnowhere';

/** Leads a way of a node elsewhere. Only those are offered that make no circle. */
export function MoveDialog({
  draft,
  at,
  onMove,
  onClose,
}: {
  draft: Definition;
  at: Selection;
  onMove: (next: Definition, way: Way) => void;
  onClose: () => void;
}) {
  const node = findNode(draft, at.node);
  const ways = node ? listWays(node) : [];
  const [chosen, setChosen] = useState(wayKey(at.way ?? ways[0] ?? { only: true }));
  const way = ways.find((each) => wayKey(each) === chosen) ?? ways[0];
  const present = draft.connections.find(
    (each) => way && each.sourceIdentifier === at.node && wayKey(connectionWay(each)) === wayKey(way),
  );
  const [target, setTarget] = useState(present?.targetIdentifier ?? nowhere);
  if (!node || !way) return null;
  return (
    <Dialog opened onClose={onClose} title={t('Lead {title} elsewhere', { title: node.title || node.identifier })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onMove(connect(draft, at.node, way, target === nowhere ? undefined : target), way);
        }}
      >
        <Stack gap="md">
          {ways.length > 1 && (
            <Select
              label={t('Which way')}
              allowDeselect={false}
              data={ways.map((each) => ({ value: wayKey(each), label: wayTitle(node, each) ?? t('Otherwise') }))}
              value={wayKey(way)}
              onChange={(next) => setChosen(next ?? wayKey(way))}
            />
          )}
          <Select
            label={t('Goes on with')}
            data-autofocus
            searchable
            allowDeselect={false}
            data={[
              { value: nowhere, label: t('Nothing: the run ends') },
              ...possibleTargets(draft, at.node).map(({ identifier, title }) => ({
                value: identifier,
                label: title || identifier,
              })),
            ]}
            value={target}
            onChange={(next) => setTarget(next ?? nowhere)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit">{t('Apply')}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
