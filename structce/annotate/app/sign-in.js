// Signs in by name and password, where the server was given one.
import { post } from "./api.js";

const form = document.getElementById("sign-in");
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const values = Object.fromEntries(new FormData(form));
  try {
    await post("/sign-in", values);
    location.replace("/");
  } catch (error) {
    document.getElementById("error").textContent = error.message;
  }
});
