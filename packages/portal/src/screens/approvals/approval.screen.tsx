import { Navigate } from '@tanstack/react-router';
import { useParam } from '../../frame/url-state.ts';
import { runAddress } from '../../parts/run-things.ts';

/** Redirects links to an approval to the run, where the approval is given. */
export function Screen() {
  return <Navigate {...runAddress(useParam('run'))} replace />;
}
