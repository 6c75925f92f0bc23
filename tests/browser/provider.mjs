// Two certified OpenID providers on this machine (npm oidc-provider): one answers like Google, one
// like Microsoft. Whoever types a name in the form of the provider is that person; `people.json`
// says what the providers know about them, and is read again each time.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, people, redirect, first, second] = process.argv.slice(2);
const from = createRequire(`${folder}/`);
const { default: Provider } = await import(pathToFileURL(from.resolve("oidc-provider")).href);
const known = (sub) => JSON.parse(readFileSync(people, "utf8"))[sub];

const shared = (provider) => ({
  clients: [{
    client_id: `id-of-${provider}`,
    client_secret: "secret",
    redirect_uris: [`${redirect}/accounts/${provider}/login/callback/`],
    grant_types: ["authorization_code"],
    response_types: ["code"],
    token_endpoint_auth_method: "client_secret_post",
  }],
  cookies: { keys: [`keys of ${provider}`] },
  pkce: { required: () => true },
  features: { devInteractions: { enabled: true } },
});

// Google: sub, email, email_verified and hd, all in the ID token.
const google = new Provider(`http://localhost:${first}`, {
  ...shared("google"),
  conformIdTokenClaims: false,
  claims: { openid: ["sub"], email: ["email", "email_verified", "hd"] },
  findAccount: (_ctx, sub) => known(sub) && {
    accountId: sub,
    claims: () => ({ sub, hd: known(sub).email.split("@")[1], email_verified: true, ...known(sub) }),
  },
});
google.use(async (ctx, next) => {
  if (ctx.path === "/token" && known("away")) process.exit(1); // In the middle of a sign-in.
  await next();
});
google.listen(Number(first), "127.0.0.1");

// Microsoft: a tenant in each address, and the profile from Graph. Nothing says that the address is
// confirmed.
const microsoft = new Provider(`http://localhost:${second}`, {
  ...shared("microsoft"),
  scopes: ["openid", "User.Read"],
  claims: { openid: ["sub", "tid", "oid", "preferred_username"] },
  routes: {
    authorization: "/organizations/oauth2/v2.0/authorize",
    token: "/organizations/oauth2/v2.0/token",
  },
  findAccount: (_ctx, sub) => known(sub) && { accountId: sub, claims: () => ({ sub }) },
});
microsoft.use(async (ctx, next) => {
  if (ctx.path !== "/v1.0/me") return next();
  const token = await microsoft.AccessToken.find((ctx.get("authorization") || "").slice(7));
  const person = token && known(token.accountId);
  ctx.status = person ? 200 : 401;
  ctx.body = person
    ? { id: `oid-${token.accountId}`, displayName: token.accountId, mail: person.email,
        userPrincipalName: person.email }
    : { error: { code: "InvalidAuthenticationToken", message: "no token" } };
});
microsoft.listen(Number(second), "127.0.0.1", () => console.log("ready"));
