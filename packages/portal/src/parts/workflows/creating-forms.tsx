import { Group, Text } from '@mantine/core';
import { useRead } from '../../api/query.ts';
import { ButtonLink } from '../../frame/links.tsx';
import { t } from '../../kit/translate.ts';
import { formTitle, makesEntity } from './entity-triggers.ts';
import { startAddress } from './workflow-links.ts';

/** The workflows that make entities of a blueprint, beside the plain form; nothing where there are none. */
export function CreatingForms({ blueprint }: { blueprint: string }) {
  const all = useRead('listSelfServiceTriggers').data?.triggers ?? [];
  const forms = all.filter((form) => makesEntity(form, blueprint));
  if (forms.length === 0) return null;
  return (
    <Group component="section" gap="xs" mb="md" aria-label={t('Workflows that create it')}>
      <Text size="sm" c="dimmed">
        {t('Or let a workflow do it:')}
      </Text>
      {forms.map((form) => (
        <ButtonLink
          key={`${form.workflowIdentifier} ${form.nodeIdentifier}`}
          {...startAddress(form.workflowIdentifier, form.nodeIdentifier)}
          size="xs"
          variant="default"
        >
          {formTitle(form, all)}
        </ButtonLink>
      ))}
    </Group>
  );
}
