import { Navigate } from '@tanstack/react-router';
import { usePlaceSearch } from '../../frame/screen-place.ts';
import { formAddress } from '../../parts/run-things.ts';

/** Redirects links of an older form (`/self-serve?action=…`). */
export function Screen() {
  const { action, actionInputs, ...rest } = usePlaceSearch();
  if (typeof action !== 'string' || action === '') return <Navigate to="/self-service" replace />;
  const inputs = typeof actionInputs === 'object' && actionInputs !== null ? actionInputs : {};
  const { $targetEntity: target, ...values } = { ...rest, ...inputs } as Readonly<Record<string, unknown>>;
  const entity = target ?? values['entity'];
  const { entity: _, ...filled } = values;
  return <Navigate {...formAddress(action, filled, typeof entity === 'string' ? entity : undefined)} replace />;
}
