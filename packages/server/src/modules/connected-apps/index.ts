export type { AppCaller } from './authenticate-app.ts';
export { type ConnectedApps, createConnectedApps } from './connected-apps.module.ts';
