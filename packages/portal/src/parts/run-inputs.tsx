import { Table, Text } from '@mantine/core';
import type { ActionInput, UserInputs } from '@portolan/contract/action-inputs';
import { CodeEditor } from '../kit/code-editor.tsx';
import { t } from '../kit/translate.ts';
import { EntityAnchor } from './entity-anchor.tsx';

const bullets = '••••••';

/** The inputs of a run by title; secrets are never shown, not even encrypted. */
export function RunInputs({
  values,
  form,
}: {
  values: Readonly<Record<string, unknown>>;
  form?: UserInputs | undefined;
}) {
  const places = Object.keys(form?.properties ?? {});
  const entries = Object.entries(values).toSorted(([left], [right]) => places.indexOf(left) - places.indexOf(right));
  if (entries.length === 0) return <Text c="dimmed">{t('No inputs.')}</Text>;
  return (
    <Table>
      <Table.Tbody>
        {entries.map(([key, value]) => (
          <Table.Tr key={key}>
            <Table.Th scope="row" w="34%" fw={500}>
              {form?.properties[key]?.title || key}
            </Table.Th>
            <Table.Td>
              <InputValue value={value} input={form?.properties[key]} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function InputValue({ value, input }: { value: unknown; input: ActionInput | undefined }) {
  if (input?.encryption) return <span title={t('Hidden value')}>{bullets}</span>;
  if (value === null || value === undefined || value === '') return <Text c="dimmed">–</Text>;
  const items = (input?.type === 'array' ? input.items : input) as Partial<ActionInput> | undefined;
  const blueprint = items?.format === 'entity' ? (items.blueprint ?? input?.blueprint) : undefined;
  if (blueprint) {
    return (
      <>
        {[value].flat().map((each) => (
          <div key={String(each)}>
            <EntityAnchor blueprint={blueprint} identifier={String(each)} />
          </div>
        ))}
      </>
    );
  }
  if (typeof value === 'object') {
    return (
      <CodeEditor
        value={JSON.stringify(value, null, 2)}
        language="json"
        label={t('Value')}
        minHeight={40}
        maxHeight={240}
      />
    );
  }
  return (
    <span dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {typeof value === 'boolean' ? (value ? t('Yes') : t('No')) : String(value)}
    </span>
  );
}
