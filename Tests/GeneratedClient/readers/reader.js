// Reads responses with the models of a client: node reader.js FOLDER, with a schema, a tab and JSON on each line.

const models = require(process.argv[2] + "/index.js")

for (const line of require("fs").readFileSync(0, "utf8").split("\n").filter((line) => line)) {
  const [schema, body] = line.split("\t")
  try {
    const read = models[`${schema}FromJSON`](JSON.parse(body))
    console.log("ok\t" + JSON.stringify(models[`${schema}ToJSON`](read)))
  } catch (error) {
    console.log("error\t" + String(error).replace(/\s+/g, " "))
  }
}
