import { Alert, Text, TextInput } from '@mantine/core';
import { call } from '../../api/api.ts';
import { DialogForm, useSentForm } from '../../kit/form.tsx';
import { t } from '../../kit/translate.ts';

/** Renames the key of a property or relation; values in entities and references follow in the same step. */
export function RenamePart({
  blueprint,
  part,
  what,
  isDirty,
  onClose,
}: {
  blueprint: string;
  part: string;
  what: 'property' | 'relation' | 'mirror';
  isDirty: boolean;
  onClose: () => void;
}) {
  const form = useSentForm({
    initial: { name: part },
    send: ({ name }) => {
      const params = { blueprint_identifier: blueprint };
      if (what === 'relation') {
        const body = { newRelationIdentifier: name };
        return call('renameRelation', { params: { ...params, relation_identifier: part }, body });
      }
      const property = { ...params, property_identifier: part };
      return what === 'property'
        ? call('renameProperty', { params: property, body: { newPropertyName: name } })
        : call('renameMirror', { params: property, body: { newMirrorName: name } });
    },
    staleAfter: ['listBlueprints', 'getBlueprint', 'getBlueprintPermissions'],
    places: { newPropertyName: 'name', newRelationIdentifier: 'name', newMirrorName: 'name' },
    done: ({ name }) => t('{part} is {name} now', { part, name }),
    onSaved: onClose,
  });
  const { name } = form.values;
  return (
    <DialogForm
      form={form}
      title={t('Change key of {part}', { part })}
      verb={t('Change key')}
      refused={t('The key was not changed')}
      isReady={!isDirty && name !== '' && name !== part}
      onClose={onClose}
    >
      <Text>
        {t(
          'Values of entities, permissions and paths follow. Scripts and mappings outside of the portal have to be changed by hand.',
        )}
      </Text>
      {isDirty && (
        <Alert color="yellow">
          {t('Save or discard the other changes first: a key changes at once, not with them.')}
        </Alert>
      )}
      <TextInput label={t('New key')} maxLength={100} data-autofocus {...form.field('name')} />
    </DialogForm>
  );
}
