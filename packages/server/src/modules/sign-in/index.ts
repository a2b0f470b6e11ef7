export { createSignIn, type SignIn } from './sign-in.module.ts';
