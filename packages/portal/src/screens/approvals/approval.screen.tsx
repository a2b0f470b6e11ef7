import { Navigate } from '@tanstack/react-router';
import { useParam } from '../../frame/url-state.ts';
import { runAddress } from '../../parts/run-things.ts';

/** A run is decided on where it is shown: links to its approval lead there. */
export function Screen() {
  return <Navigate {...runAddress(useParam('run'))} replace />;
}
