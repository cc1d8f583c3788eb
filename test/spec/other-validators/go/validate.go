// Reads {schemas, examples} as JSON and prints which examples github.com/santhosh-tekuri/jsonschema accepts, in their order.
package main

import (
	"encoding/json"
	"log"
	"os"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// What the ids of the schemas, which are file names, are relative to.
const folder = "https://schemas.test/"

func main() {
	given, err := jsonschema.UnmarshalJSON(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	accepted, err := validate(given.(map[string]any))
	if err != nil {
		log.Fatal(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(accepted); err != nil {
		log.Fatal(err)
	}
}

func validate(given map[string]any) ([]bool, error) {
	compiler := jsonschema.NewCompiler()
	// Formats only annotate in draft 2020-12 unless one asks for more.
	compiler.AssertFormat()
	for name, schema := range given["schemas"].(map[string]any) {
		if err := compiler.AddResource(folder+name+".schema.json", schema); err != nil {
			return nil, err
		}
	}
	accepted := []bool{}
	for _, example := range given["examples"].([]any) {
		pair := example.([]any)
		schema, err := compiler.Compile(folder + pair[0].(string) + ".schema.json")
		if err != nil {
			return nil, err
		}
		accepted = append(accepted, schema.Validate(pair[1]) == nil)
	}
	return accepted, nil
}
