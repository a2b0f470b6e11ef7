import { ActionIcon, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { isRecord } from '@portolan/contract/json-value';
import { ChevronDown, Plus, X } from 'lucide-react';
import { useState } from 'react';
import { issueAt } from '../../../kit/refusal.ts';
import { plural, t } from '../../../kit/translate.ts';
import { type Body, type BodyWay, listBodies } from '../document/bodies.ts';
import { freshName } from '../document/edits.ts';
import { workflowOfMap } from '../node-fields.ts';
import { freshBody } from '../node-kinds.ts';
import { ConfigFields, type NodeFormProps } from './config-fields.tsx';

interface BodyFormProps extends NodeFormProps {
  readonly inside: BodyWay;
  readonly onOpen: (body: Body) => void;
}

/** The steps inside a step: they are edited as a workflow of their own, in the list and on the canvas. */
export function BodyForm(props: BodyFormProps) {
  const { type } = props.node.config;
  if (type === 'MAP') return <MapForm {...props} />;
  if (type === 'PARALLEL') return <BranchesForm {...props} />;
  return type === 'REPEAT' ? <OpenBodies {...props} /> : null;
}

function OpenBodies({ node, faults, inside, onOpen }: BodyFormProps) {
  return listBodies(node, inside).map((body) => <OpenBody key={body.at} body={body} faults={faults} onOpen={onOpen} />);
}

function OpenBody({ body, faults, onOpen }: Pick<BodyFormProps, 'faults' | 'onOpen'> & { body: Body }) {
  const wrong = faults.filter(({ path, isWarning }) => path.startsWith(`${body.at}/`) && !isWarning).length;
  return (
    <Group gap="sm">
      <Button size="xs" variant="default" onClick={() => onOpen(body)}>
        {body.branch === undefined
          ? t('Edit the steps inside')
          : t('Edit the steps of {branch}', { branch: body.branch })}
      </Button>
      <Text size="sm" c={wrong > 0 ? 'var(--danger)' : 'dimmed'}>
        {wrong > 0
          ? plural(wrong, '{count} fault', '{count} faults')
          : plural(body.steps, '{count} step', '{count} steps')}
      </Text>
    </Group>
  );
}

/** Each item is given to the steps inside, or to another workflow. */
function MapForm(props: BodyFormProps) {
  const { node, onChange, faults } = props;
  const { config } = node;
  const isOther = config['body'] === undefined || config['body'] === null;
  const choose = (what: string) => {
    const { body: _body, workflowIdentifier: _name, nodeIdentifier: _form, inputs: _inputs, ...kept } = config;
    onChange({
      ...node,
      config: { ...kept, type: config.type, ...(what === 'other' ? { workflowIdentifier: '' } : { body: freshBody }) },
    });
  };
  return (
    <>
      <NativeSelect
        label={t('What is run for each item')}
        data={[
          { value: 'body', label: t('Steps inside') },
          { value: 'other', label: t('Another workflow') },
        ]}
        value={isOther ? 'other' : 'body'}
        error={issueAt(faults, 'config', 'body')}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        rightSection={<ChevronDown size={14} aria-hidden="true" />}
      />
      {isOther ? <ConfigFields {...props} fields={workflowOfMap} /> : <OpenBodies {...props} />}
    </>
  );
}

/** Branches by name, each with steps of its own. */
function BranchesForm(props: BodyFormProps) {
  const { node, onChange, inside, faults, onOpen } = props;
  const branches = isRecord(node.config['branches']) ? node.config['branches'] : {};
  const names = Object.keys(branches);
  const put = (entries: readonly (readonly [string, unknown])[]) =>
    onChange({ ...node, config: { ...node.config, branches: Object.fromEntries(entries) } });
  const bodies = listBodies(node, inside);
  return (
    <Stack gap="sm" role="group" aria-label={t('Branches')}>
      {names.map((name) => {
        const body = bodies.find(({ branch }) => branch === name);
        return (
          <Stack key={name} gap={4}>
            <Group gap="xs" wrap="nowrap" align="flex-end">
              <BranchName
                name={name}
                taken={names}
                onRename={(to) => put(Object.entries(branches).map(([key, value]) => [key === name ? to : key, value]))}
              />
              <ActionIcon
                size={32}
                aria-label={t('Remove {name}', { name })}
                onClick={() => put(Object.entries(branches).filter(([key]) => key !== name))}
              >
                <X size={16} />
              </ActionIcon>
            </Group>
            {body && <OpenBody body={body} faults={faults} onOpen={onOpen} />}
          </Stack>
        );
      })}
      <Button
        size="xs"
        variant="default"
        leftSection={<Plus size={14} />}
        onClick={() => put([...Object.entries(branches), [freshName('branch', names), freshBody]])}
      >
        {t('Add a branch')}
      </Button>
    </Stack>
  );
}

function BranchName({
  name,
  taken,
  onRename,
}: {
  name: string;
  taken: readonly string[];
  onRename: (to: string) => void;
}) {
  const [typed, setTyped] = useState(name);
  const isTaken = typed !== name && taken.includes(typed);
  return (
    <TextInput
      label={t('Name of the branch')}
      value={typed}
      error={isTaken ? t('Another branch is called {name}', { name: typed }) : undefined}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={() => (typed === '' || isTaken ? setTyped(name) : typed !== name && onRename(typed))}
    />
  );
}
