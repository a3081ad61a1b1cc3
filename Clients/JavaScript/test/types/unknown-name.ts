// It must not compile (TS2339): the library has no such name.
import { createSwitchback } from "../../index.js";

createSwitchback({ server: "https://login.example" }).logOut();
