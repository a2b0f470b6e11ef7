import { Switch, Title } from '@mantine/core';
import { isRecord } from '@portolan/contract/json-value';
import { issueAt } from '../../../kit/refusal.ts';
import { t } from '../../../kit/translate.ts';
import { BlueprintSelect } from '../../../parts/blueprint-select.tsx';
import { inputBlueprint } from '../../../parts/workflows/entity-input.ts';
import type { NodeConfig } from '../document/definition.ts';
import type { Fault } from '../document/faults.ts';
import { readForm } from '../document/read-form.ts';

type Context = Readonly<Record<string, unknown>>;

/** Where people find the form: in self-service, in the menu of entities, where entities are made. */
export function OfferForm({
  config,
  faults,
  onChange,
}: {
  config: NodeConfig;
  faults: readonly Fault[];
  onChange: (contexts: readonly Context[] | undefined) => void;
}) {
  const contexts: readonly Context[] = Array.isArray(config['contexts']) ? config['contexts'].filter(isRecord) : [];
  const write = (next: readonly Context[]) => onChange(next.length === 0 ? undefined : next);
  const without = (isGone: (context: Context) => boolean) => contexts.filter((each) => !isGone(each));
  const isHidden = (each: Context) => each['on'] === 'SELF_SERVICE_HUB';
  const isFor = (input: string) => (each: Context) => each['on'] === 'ENTITY' && each['userInput'] === input;
  const isMaking = (each: Context) => each['on'] === 'CREATE_ENTITY';
  const made = contexts.find(isMaking)?.['blueprintIdentifier'];
  const inputs = Object.entries(readForm(config).properties).flatMap(([key, input]) => {
    const blueprint = inputBlueprint(input);
    return blueprint === undefined ? [] : [{ key, blueprint, title: input.title || key }];
  });
  return (
    <>
      <Title order={3} fz="sm">
        {t('Where it is offered')}
      </Title>
      <Switch
        label={t('Among the cards of self-service')}
        checked={!contexts.some((each) => isHidden(each) && each['visible'] === false)}
        onChange={({ currentTarget: { checked } }) =>
          write([...without(isHidden), ...(checked ? [] : [{ on: 'SELF_SERVICE_HUB', visible: false }])])
        }
      />
      {inputs.map(({ key, blueprint, title }) => (
        <Switch
          key={key}
          label={t('In the menu of each entity of {blueprint}', { blueprint })}
          description={t('The entity is filled in as {title}', { title })}
          checked={contexts.some(isFor(key))}
          error={issueAt(faults, 'config', 'contexts', String(contexts.findIndex(isFor(key))), 'userInput')}
          onChange={({ currentTarget: { checked } }) =>
            write([...without(isFor(key)), ...(checked ? [{ on: 'ENTITY', userInput: key }] : [])])
          }
        />
      ))}
      <BlueprintSelect
        label={t('Where entities are created')}
        description={t('Beside the form of new entities of this blueprint')}
        isClearable
        value={typeof made === 'string' ? made : ''}
        error={issueAt(faults, 'config', 'contexts', String(contexts.findIndex(isMaking)), 'blueprintIdentifier')}
        onChange={(blueprintIdentifier) =>
          write([
            ...without((each) => isMaking(each) && each['blueprintIdentifier'] === made),
            ...(blueprintIdentifier ? [{ on: 'CREATE_ENTITY', blueprintIdentifier }] : []),
          ])
        }
      />
    </>
  );
}
