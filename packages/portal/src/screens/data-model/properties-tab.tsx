import { Button, Group, Stack } from '@mantine/core';
import { Plus } from 'lucide-react';
import { use, useState } from 'react';
import { useRead } from '../../api/query.ts';
import { useUrlState } from '../../frame/url-state.ts';
import { withKey } from '../../kit/json-value.ts';
import { ReadingOnly } from '../../kit/reading-only.ts';
import { issueAt } from '../../kit/refusal.ts';
import { t } from '../../kit/translate.ts';
import { ColourBadge } from '../../parts/badges.tsx';
import { kindLabel } from '../../parts/property-kinds.ts';
import { draftKeys, type Property } from './blueprint-draft.ts';
import { PartList } from './part-list.tsx';
import { PropertyForm } from './property-form.tsx';
import { RenamePart } from './rename-part.tsx';
import type { TabProps } from './tab-props.ts';
import { UnknownProperties } from './unknown-properties.tsx';

/** The properties of the blueprint. */
export function PropertiesTab({ draft, onChange, issues, saved, isDirty }: TabProps) {
  // the address may ask for a new one
  const [adds, setAdds] = useUrlState('/builder/data-model/$blueprint', 'add');
  const isForReading = use(ReadingOnly);
  const [edited, setEdited] = useState<string | null | undefined>(adds && !isForReading ? null : undefined);
  const [renamed, setRenamed] = useState<string>();
  const isSystem = saved.identifier.startsWith('_');
  const structure = useRead(
    'getSystemBlueprintStructure',
    { params: { blueprint_identifier: saved.identifier } },
    { isOn: isSystem },
  );
  const fixed = structure.data?.blueprint.schema.properties ?? {};
  const required = draft.schema.required ?? [];
  const close = () => {
    setEdited(undefined);
    if (adds) setAdds(undefined);
  };
  const put = (key: string, property: Property | undefined, isRequired: boolean) => {
    const others = required.filter((each) => each !== key);
    onChange({
      ...draft,
      schema: {
        ...draft.schema,
        properties: withKey(draft.schema.properties, key, property),
        required: isRequired ? [...others, key] : others,
      },
    });
  };
  return (
    <Stack gap="md">
      <Group>
        <Button variant="default" leftSection={<Plus size={16} />} onClick={() => setEdited(null)}>
          {t('Add property')}
        </Button>
      </Group>
      <PartList
        label={t('Properties')}
        parts={Object.entries(draft.schema.properties).map(([key, property]) => ({
          key,
          title: property.title ?? key,
          kind: (
            <>
              <ColourBadge colour="blue">{kindLabel(property)}</ColourBadge>
              {required.includes(key) && <ColourBadge colour="gold">{t('Required')}</ColourBadge>}
            </>
          ),
          detail: renderDetail(property),
          problem: issueAt(issues, 'schema', 'properties', key),
          locked: Object.hasOwn(fixed, key) ? t('Built in') : undefined,
        }))}
        onEdit={setEdited}
        onRename={setRenamed}
        onRemove={(key) => put(key, undefined, false)}
        empty={{
          title: t('No properties yet'),
          text: t('Add one, such as a language, a tier or a link to the runbook.'),
        }}
      />
      <UnknownProperties
        blueprint={saved.identifier}
        properties={draft.schema.properties}
        onAdd={(key, guess) => put(key, guess, false)}
      />
      {edited !== undefined && (
        <PropertyForm
          initialKey={edited ?? undefined}
          initial={edited === null ? undefined : draft.schema.properties[edited]}
          isRequired={edited !== null && required.includes(edited)}
          isSaved={edited !== null && Object.hasOwn(saved.schema.properties, edited)}
          taken={draftKeys(draft)}
          onClose={close}
          onDone={(key, property, isRequired) => {
            put(key, property, isRequired);
            close();
          }}
        />
      )}
      {renamed !== undefined && (
        <RenamePart
          blueprint={saved.identifier}
          part={renamed}
          what="property"
          isDirty={isDirty}
          onClose={() => setRenamed(undefined)}
        />
      )}
    </Stack>
  );
}

function renderDetail(property: Property) {
  return (
    <Group gap={4}>
      {property.description && <span dir="auto">{property.description}</span>}
      {property.enum?.map((value) => (
        <ColourBadge key={String(value)} colour={property.enumColors?.[String(value)] ?? 'lightGray'}>
          {String(value)}
        </ColourBadge>
      ))}
      {property.default !== undefined && (
        <span>{t('Default: {stringify}', { stringify: JSON.stringify(property.default) })}</span>
      )}
    </Group>
  );
}
