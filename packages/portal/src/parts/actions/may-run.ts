import { useRead } from '../../api/query.ts';
import { t } from '../../kit/translate.ts';
import type { Permit } from '../access/permit.ts';
import type { FormValues } from '../form-model.ts';

/** What the server says about running an action, as a permit; who exactly may is known to administrators. */
export function runPermit(mayRun: boolean): Permit {
  return { isAllowed: mayRun, needs: t('the right to run the action, which an administrator gives') };
}

/** Whether the user may run an action with these inputs. */
export function useMayRun(
  action: string,
  { properties, entity }: { readonly properties: FormValues; readonly entity: string | undefined },
  isOn: boolean,
): Permit | undefined {
  const input = { params: { action_identifier: action }, body: { properties, ...(entity ? { entity } : {}) } };
  const { data, error } = useRead('evaluateForm', input as never, { isOn });
  // what cannot be worked out, such as for an entity that is gone, is refused with its own reason
  if (error) return runPermit(true);
  return data && runPermit(data.form.mayRun);
}
