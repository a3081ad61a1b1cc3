// Renders the Helm chart with Go's text/template and sprig, which are what Helm renders with. It has include, tpl,
// toYaml and required, and nothing else of Helm's own: a chart that uses more fails here.
//
//	go run main.go CHART RELEASE NAMESPACE [VALUES.yaml …]
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: main CHART RELEASE NAMESPACE [VALUES.yaml …]")
		os.Exit(2)
	}
	text, err := render(os.Args[1], os.Args[2], os.Args[3], os.Args[4:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Print(text)
}

func render(folder, release, namespace string, files []string) (string, error) {
	chart, err := read(filepath.Join(folder, "Chart.yaml"))
	if err != nil {
		return "", err
	}
	values, err := read(filepath.Join(folder, "values.yaml"))
	if err != nil {
		return "", err
	}
	for _, file := range files {
		more, err := read(file)
		if err != nil {
			return "", err
		}
		if err := merge(values, more, ""); err != nil {
			return "", fmt.Errorf("%s: %w", file, err)
		}
	}
	// The members of Chart.yaml are small there and begin with a capital letter in templates.
	about := map[string]interface{}{}
	for name, value := range chart {
		about[strings.ToUpper(name[:1])+name[1:]] = value
	}
	context := map[string]interface{}{
		"Values": values, "Chart": about,
		"Release": map[string]interface{}{"Name": release, "Namespace": namespace, "Service": "Helm"},
	}

	root := template.New("").Option("missingkey=error")
	functions := sprig.TxtFuncMap()
	functions["include"] = func(name string, data interface{}) (string, error) {
		var out bytes.Buffer
		err := root.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	functions["tpl"] = func(text string, data interface{}) (string, error) {
		clone, err := root.Clone()
		if err != nil {
			return "", err
		}
		parsed, err := clone.New("tpl").Parse(text)
		if err != nil {
			return "", err
		}
		var out bytes.Buffer
		err = parsed.Execute(&out, data)
		return out.String(), err
	}
	functions["toYaml"] = func(value interface{}) (string, error) {
		out, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(out), "\n"), err
	}
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	root.Funcs(functions)

	names, err := filepath.Glob(filepath.Join(folder, "templates", "*"))
	if err != nil {
		return "", err
	}
	sort.Strings(names)
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		if _, err := root.New(filepath.Base(name)).Parse(string(text)); err != nil {
			return "", err
		}
	}
	var whole strings.Builder
	for _, name := range names {
		if strings.HasPrefix(filepath.Base(name), "_") {
			continue
		}
		var out bytes.Buffer
		if err := root.ExecuteTemplate(&out, filepath.Base(name), context); err != nil {
			return "", err
		}
		if strings.TrimSpace(out.String()) != "" {
			fmt.Fprintf(&whole, "---\n# %s\n%s\n", filepath.Base(name), strings.TrimSpace(out.String()))
		}
	}
	return whole.String(), nil
}

func read(file string) (map[string]interface{}, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	values := map[string]interface{}{}
	return values, yaml.Unmarshal(text, &values)
}

// merge puts one set of values over another, as Helm does. A value that the chart does not have is a mistake.
func merge(values, more map[string]interface{}, path string) error {
	for name, value := range more {
		former, exists := values[name]
		if !exists && path != ".environment" {
			return fmt.Errorf("the chart has no value %s", strings.TrimPrefix(path+"."+name, "."))
		}
		inner, isMap := value.(map[string]interface{})
		outer, wasMap := former.(map[string]interface{})
		if isMap && wasMap {
			if err := merge(outer, inner, path+"."+name); err != nil {
				return err
			}
			continue
		}
		values[name] = value
	}
	return nil
}
