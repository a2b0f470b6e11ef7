import { useRead } from '../../api/query.ts';
import { t } from '../../kit/translate.ts';
import { entityInput, type StartForm } from './entity-input.ts';
import { startAddress } from './workflow-links.ts';

/** Whether a form is offered where entities of the blueprint are made. */
export function makesEntity({ contexts }: StartForm, blueprint: string): boolean {
  return contexts.some((each) => each['on'] === 'CREATE_ENTITY' && each['blueprintIdentifier'] === blueprint);
}

/** The name of a form among others: the workflow's, and its own where the workflow has several. */
export function formTitle(form: StartForm, all: readonly StartForm[]): string {
  const { workflow, title, nodeIdentifier } = form;
  const name = workflow.title || workflow.identifier;
  const isOne = all.filter((each) => each.workflowIdentifier === workflow.identifier).length === 1;
  return isOne ? name : t('{workflow}: {form}', { workflow: name, form: title || nodeIdentifier });
}

export interface OfferedForm {
  readonly key: string;
  readonly title: string;
  readonly address: ReturnType<typeof startAddress>;
}

/** The forms of workflows that are offered for an entity, each filled in with it. */
export function useEntityForms(blueprint: string, entity: string): readonly OfferedForm[] {
  const all = useRead('listSelfServiceTriggers').data?.triggers ?? [];
  return all.flatMap((form) => {
    const input = entityInput(form, blueprint);
    if (input === undefined) return [];
    const { workflowIdentifier, nodeIdentifier } = form;
    return [
      {
        key: `${workflowIdentifier} ${nodeIdentifier}`,
        title: formTitle(form, all),
        address: startAddress(workflowIdentifier, nodeIdentifier, { [input]: entity }),
      },
    ];
  });
}
