import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { DialogForm, useContractForm } from '../../kit/form.tsx';
import { typedOr } from '../../kit/identifier-from.ts';
import { t } from '../../kit/translate.ts';
import { blueprintAddress } from './addresses.ts';

/** Asks only for title and identifier; the rest is edited afterwards. */
export function NewBlueprint({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const form = useContractForm('createBlueprint', {
    // undefined: the identifier follows the title until the user types one
    initial: { title: '', identifier: undefined as string | undefined },
    input: (values) => ({
      body: { identifier: typedOr(values), title: values.title.trim(), schema: { properties: {} } },
    }),
    staleAfter: ['listBlueprints', 'getSidebar', 'listPages'],
    onSaved: (_, values) => {
      onClose();
      void navigate({ ...blueprintAddress(typedOr(values)), search: { tab: 'properties' } });
    },
  });
  const identifier = typedOr(form.values);
  return (
    <DialogForm
      form={form}
      title={t('New blueprint')}
      verb={t('Create blueprint')}
      refused={t('The blueprint was not created')}
      isReady={form.values.title.trim() !== '' && identifier !== ''}
      onClose={onClose}
    >
      <TextInput
        label={t('Title')}
        required
        withAsterisk={false}
        maxLength={100}
        data-autofocus
        {...form.field('title')}
      />
      <TextInput
        label={t('Identifier')}
        description={t('What the API and other blueprints call it')}
        required
        withAsterisk={false}
        maxLength={100}
        {...form.field('identifier')}
        value={identifier}
      />
    </DialogForm>
  );
}
