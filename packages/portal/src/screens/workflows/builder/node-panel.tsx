import { NativeSelect, Stack, Textarea, TextInput, Title } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { withKey } from '../../../kit/json-value.ts';
import { issueAt } from '../../../kit/refusal.ts';
import { t } from '../../../kit/translate.ts';
import { StructuredField } from '../../../parts/structured-field.tsx';
import type { BodyWay } from '../document/bodies.ts';
import { findNode, isBranching, isTrigger, type WorkflowNode } from '../document/definition.ts';
import { changeNode, changeType, removeOutlet, renameNode, renameOutlet, reorderOutlet } from '../document/edits.ts';
import { findKind, itemKind, stepKinds, triggerKinds } from '../node-kinds.ts';
import { BodyForm } from './body-form.tsx';
import { BranchForm } from './branch-forms.tsx';
import { ConfigFields, type NodeFormProps } from './config-fields.tsx';
import { DataPicker } from './data-picker.tsx';
import { FaultList } from './fault-list.tsx';
import { HookAddress } from './hook-address.tsx';
import { AwaitedEvent, TriggerForm } from './trigger-forms.tsx';
import { UndoSelect } from './undo-select.tsx';
import type { Builder } from './use-builder.ts';
import type { WorkflowDraft } from './use-workflow-draft.ts';

/** The form of the selected node. */
export function NodePanel({
  node,
  definition,
  builder,
  panel,
  inside,
  onOpen,
}: {
  node: WorkflowNode;
  definition: WorkflowDraft;
  builder: Builder;
  panel: RefObject<HTMLElement | null>;
  /** Where the shown steps stand. */
  inside: BodyWay;
  /** Shows the steps inside one. */
  onOpen: (way: BodyWay) => void;
}) {
  const { draft, change } = definition;
  const { identifier, config } = node;
  const faults = builder.faultsAt(identifier);
  const form: NodeFormProps = {
    node,
    faults,
    onChange: (next, field) => change(changeNode(draft, identifier, next), field),
    onProblem: definition.tell,
  };
  const kinds = config.type === itemKind.type ? [itemKind] : isTrigger(node) ? triggerKinds : stepKinds;
  const isKnown = kinds.some(({ type }) => type === config.type);
  return (
    <Stack gap="md">
      <Title order={2} size="h3" dir="auto">
        {node.title || identifier}
      </Title>
      <FaultList faults={faults} />
      <Names
        {...form}
        taken={draft.nodes}
        onRename={(to) => {
          const next = renameNode(draft, identifier, to);
          if (next === draft) return;
          change(next);
          builder.select({ node: to });
        }}
      />
      <NativeSelect
        label={isTrigger(node) ? t('What starts it') : t('What is done')}
        description={findKind(config.type).description}
        data={[
          ...kinds.map(({ type, label }) => ({ value: type, label })),
          ...(isKnown ? [] : [{ value: config.type, label: config.type }]),
        ]}
        value={config.type}
        error={issueAt(faults, 'config', 'type')}
        onChange={({ currentTarget: { value } }) => {
          const kind = kinds.find(({ type }) => type === value);
          if (!kind) return;
          const next = changeType(draft, identifier, kind.fresh());
          // a title that nobody wrote says what the step does
          const isOwn = node.title !== findKind(config.type).label;
          const changed = findNode(next, identifier);
          change(isOwn || !changed ? next : changeNode(next, identifier, { ...changed, title: kind.label }));
        }}
        rightSection={<ChevronDown size={14} aria-hidden="true" />}
      />
      {config.type === 'WEBHOOK_TRIGGER' && <HookAddress workflow={draft.identifier} node={identifier} />}
      {isTrigger(node) && <TriggerForm key={config.type} {...form} />}
      {isBranching(node) && (
        <BranchForm
          key={config.type}
          {...form}
          onAddBranch={() => builder.branch({ node: identifier })}
          onRemoveBranch={(outlet) => change(removeOutlet(draft, identifier, outlet))}
          onRenameBranch={(from, to) => change(renameOutlet(draft, identifier, from, to))}
          onReorderBranch={(outlet, by) => change(reorderOutlet(draft, identifier, outlet, by))}
        />
      )}
      {config.type === 'WAIT_FOR_EVENT' && <AwaitedEvent {...form} />}
      {!isTrigger(node) && !isBranching(node) && <ConfigFields key={config.type} {...form} />}
      <BodyForm {...form} onOpen={(body) => onOpen(body.way)} inside={inside} />
      <UndoSelect
        node={node}
        draft={draft}
        faults={faults}
        onChange={(next) => change(next as typeof draft)}
        onSelect={(to) => builder.select({ node: to })}
      />
      {!isTrigger(node) && <More {...form} />}
      {!isTrigger(node) && <DataPicker draft={draft} node={identifier} panel={panel} />}
    </Stack>
  );
}

function Names({
  node,
  faults,
  onChange,
  taken,
  onRename,
}: NodeFormProps & { taken: readonly WorkflowNode[]; onRename: (to: string) => void }) {
  const { identifier } = node;
  const [name, setName] = useState(identifier);
  const isTaken = name !== identifier && taken.some((each) => each.identifier === name);
  const rename = () => {
    if (name.trim() === '' || isTaken) return;
    onRename(name.trim());
  };
  return (
    <>
      <TextInput
        label={t('Title')}
        data-first-field
        value={node.title ?? ''}
        error={issueAt(faults, 'title')}
        onChange={({ currentTarget: { value } }) =>
          onChange(withKey(node as never, 'title', (value || undefined) as never) as never, `${identifier} title`)
        }
      />
      <TextInput
        label={t('Identifier')}
        description={t('Expressions call its output by this name; they follow when you rename it')}
        value={name}
        error={isTaken ? t('Another node is called {name}', { name }) : issueAt(faults, 'identifier')}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        onBlur={rename}
        onKeyDown={({ key }) => key === 'Enter' && rename()}
      />
    </>
  );
}

/** What every step can have. */
function More({ node, faults, onChange, onProblem }: NodeFormProps) {
  const set = (key: string, value: unknown) =>
    onChange(withKey(node as never, key, value as never) as never, `${node.identifier} ${key}`);
  return (
    <details>
      <summary>{t('Description, variables and links')}</summary>
      <Stack gap="md" mt="sm">
        <Textarea
          label={t('Description')}
          autosize
          minRows={2}
          value={node.description ?? ''}
          error={issueAt(faults, 'description')}
          onChange={({ currentTarget: { value } }) => set('description', value || undefined)}
        />
        <StructuredField
          language="json"
          label={t('Variables')}
          description={t('A template for each name; they take the place of the output, and read it as .result')}
          value={node.variables}
          error={issueAt(faults, 'variables')}
          onChange={(value) => set('variables', value ?? undefined)}
          onProblem={(problem) => onProblem(`${node.identifier} variables`, problem)}
        />
        <StructuredField
          language="json"
          label={t('Links')}
          description={t('At most three addresses that the run shows')}
          value={node.links}
          error={issueAt(faults, 'links')}
          onChange={(value) => set('links', value ?? undefined)}
          onProblem={(problem) => onProblem(`${node.identifier} links`, problem)}
        />
      </Stack>
    </details>
  );
}
