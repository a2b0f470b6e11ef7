import { Button } from '@mantine/core';
import type { UserInputs } from '@portolan/contract/action-inputs';
import type { SelfServiceTrigger } from '@portolan/contract/actions';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { t } from '../../kit/translate.ts';
import { InputsEditor } from '../../parts/user-inputs/inputs-editor.tsx';
import type { EditorProps } from './editor-props.ts';
import { askForFields, blueprintToAskFor } from './fields-as-inputs.ts';

/** The inputs of the form, with their order and steps. */
export function FormTab({ draft, onChange, issues }: EditorProps) {
  const { trigger } = draft;
  const set = (userInputs: UserInputs) =>
    onChange({ ...draft, trigger: { ...trigger, userInputs } as SelfServiceTrigger });
  const blueprint = blueprintToAskFor(draft);
  const begin = blueprint && (
    <AskForFields blueprint={blueprint} onAsk={(read) => onChange(askForFields(draft, read))} />
  );
  return <InputsEditor inputs={trigger.userInputs} issues={issues} onChange={set} begin={begin} />;
}

type Blueprint = AnswerOf<'getBlueprint'>['blueprint'];

function AskForFields({ blueprint, onAsk }: { blueprint: string; onAsk: (read: Blueprint) => void }) {
  const { data } = useRead('getBlueprint', { params: { blueprint_identifier: blueprint } });
  if (!data) return null;
  return (
    <Button variant="default" size="xs" onClick={() => onAsk(data.blueprint)}>
      {t('Ask for the fields of {title}', { title: data.blueprint.title })}
    </Button>
  );
}
