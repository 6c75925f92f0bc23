/* Starts the sign-in with a passkey by allauth's own script, and reports a failure. */
addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector("[data-passkey]");
  const say = (id) => {
    document.getElementById(id).hidden = false;
  };
  if (!form) return;
  if (!webauthnJSON.supported()) return say("passkey-missing");
  const role = form.dataset.passkey;
  const ids = {
    [role]: "passkey-button",
    credential: "id_credential",
    passwordless: "id_passwordless",
  };
  if (document.getElementById("passkey-data")) ids.data = "passkey-data";
  allauth.webauthn.forms[`${role}Form`]({ ids });
  document.addEventListener("allauth.error", (event) => {
    event.preventDefault();
    say("passkey-failed");
  });
});
