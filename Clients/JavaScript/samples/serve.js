// Serves a sample whose pages call the API themselves: node serve.js FOLDER [PORT] [SERVER]

import { createServer } from "node:http";
import { resolve } from "node:path";
import { printReport, sendFile } from "./files.js";

// The address of the sandbox, as the samples name it.
const sandbox = "http://127.0.0.1:8080";
const [folder = "page", port = "3000", server = sandbox] = process.argv.slice(2);
const edit = (text) => text.replaceAll(sandbox, server);

createServer((request, response) => {
  const work = request.method === "POST" ? printReport(request, response)
    : sendFile(request, response, resolve(folder), server, edit);
  work.catch(() => response.destroy());
}).listen(Number(port), "127.0.0.1", () => console.log(`listening on http://localhost:${port}/`));
