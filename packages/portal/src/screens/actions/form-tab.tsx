import type { UserInputs } from '@portolan/contract/action-inputs';
import type { SelfServiceTrigger } from '@portolan/contract/actions';
import { InputsEditor } from '../../parts/user-inputs/inputs-editor.tsx';
import type { EditorProps } from './editor-props.ts';

/** The inputs of the form, with their order and steps. */
export function FormTab({ draft, onChange, issues }: EditorProps) {
  const { trigger } = draft;
  const set = (userInputs: UserInputs) =>
    onChange({ ...draft, trigger: { ...trigger, userInputs } as SelfServiceTrigger });
  return <InputsEditor inputs={trigger.userInputs} issues={issues} onChange={set} />;
}
