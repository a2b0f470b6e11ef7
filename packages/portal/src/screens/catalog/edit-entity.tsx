import { Alert, Button, Group, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { call, errorCode, open } from '../../api/api.ts';
import { useRefresh } from '../../api/query.ts';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import type { Field } from '../../parts/entities/fields.ts';
import { useOffers } from '../../parts/entities/rights.ts';
import { EntityForm } from '../../parts/entity-form/entity-form.tsx';
import {
  type FormValues,
  isSame,
  toEntityParts,
  toFormValues,
  writtenFields,
} from '../../parts/entity-form/form-values.ts';
import type { ReadEntity } from './entity-screen.types.ts';

interface Conflict {
  readonly theirs: FormValues;
  readonly version: string | undefined;
  readonly by: string;
}

/**
 * Edits an entity. Sends only changed fields, with the version that was read; on a conflict the user sees both
 * versions.
 */
export function EditEntity({
  blueprint,
  read,
  fields,
  onDone,
}: {
  blueprint: string;
  read: ReadEntity;
  fields: readonly Field[];
  onDone: () => void;
}) {
  // read once: a refetch must not change what the user is typing
  const [base, setBase] = useState(() => ({ values: toFormValues(read.entity, fields), version: read.version }));
  const [values, setValues] = useState(base.values);
  const [conflict, setConflict] = useState<Conflict>();
  const offers = useOffers(blueprint, read.entity.identifier);
  const refresh = useRefresh();
  const toast = useToast();
  const params = { blueprint_identifier: blueprint, entity_identifier: read.entity.identifier ?? '' };
  const save = async () => {
    const body = toEntityParts(values, fields, base.values);
    if (Object.keys(body).length === 0) return onDone();
    try {
      await call('patchEntity', {
        params,
        query: base.version ? { expectedVersion: base.version } : {},
        body: body,
      });
    } catch (error) {
      if (errorCode(error) !== 'stale_version') throw error;
      const answer = await open('getEntity', { params });
      const { entity } = (await answer.json()) as { entity: ReadEntity['entity'] };
      setConflict({
        theirs: toFormValues(entity, fields),
        version: answer.headers.get('etag')?.replaceAll(/^(W\/)?"|"$/g, ''),
        by: entity.updatedBy ?? '',
      });
      throw new Error(
        'Somebody changed this entity meanwhile. Below is what they and you wrote; choose, then save again.',
      );
    }
    await refresh(['getEntity', 'searchBlueprintEntities', 'groupBlueprintEntities', 'getAuditLog']);
    toast(t('{title} was saved', { title: read.entity.title || read.entity.identifier }));
    onDone();
  };
  const takeTheirs = (keepsMine: boolean) => {
    if (!conflict) return;
    const mine = Object.fromEntries(Object.entries(values).filter(([key, value]) => !isSame(value, base.values[key])));
    setValues(keepsMine ? { ...conflict.theirs, ...mine } : conflict.theirs);
    setBase({ values: conflict.theirs, version: conflict.version });
    setConflict(undefined);
  };
  return (
    <EntityForm
      fields={fields}
      values={values}
      onChange={setValues}
      onSave={save}
      onCancel={onDone}
      verb={t('Save')}
      mayWrite={({ key, source }) => (source === 'relation' ? offers.relation(key) : offers.property(key))}
    >
      {conflict && (
        <ConflictView fields={fields} base={base.values} mine={values} conflict={conflict} onTake={takeTheirs} />
      )}
    </EntityForm>
  );
}

function ConflictView({
  fields,
  base,
  mine,
  conflict: { theirs, by },
  onTake,
}: {
  fields: readonly Field[];
  base: FormValues;
  mine: FormValues;
  conflict: Conflict;
  onTake: (keepsMine: boolean) => void;
}) {
  const changed = writtenFields(fields).filter(
    ({ key }) => !isSame(theirs[key], base[key]) || !isSame(mine[key], base[key]),
  );
  return (
    <Alert color="yellow" title={t('Changed meanwhile{word}', { word: by ? ` ${t('by {by}', { by })}` : '' })}>
      <Table.ScrollContainer minWidth={480}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Field')}</Table.Th>
              <Table.Th>{t('Before')}</Table.Th>
              <Table.Th>{t('Theirs')}</Table.Th>
              <Table.Th>{t('Yours')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {changed.map(({ key, title }) => (
              <Table.Tr key={key}>
                <Table.Th scope="row">{title}</Table.Th>
                <Table.Td>{shortText(base[key])}</Table.Td>
                <Table.Td>{shortText(theirs[key])}</Table.Td>
                <Table.Td>{shortText(mine[key])}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Group mt="sm">
        <Button size="xs" onClick={() => onTake(true)}>
          {t('Take theirs, and keep my changes')}
        </Button>
        <Button size="xs" variant="default" onClick={() => onTake(false)}>
          {t('Take theirs alone')}
        </Button>
      </Group>
    </Alert>
  );
}

function shortText(value: unknown) {
  const text = value === null || value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value);
  return (
    <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
      {text.length > 300 ? `${text.slice(0, 300)}…` : text}
    </Text>
  );
}
