// Reads responses with models for Jackson: java Reader.java PACKAGE, with a schema, a tab and JSON on each line.

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

class Reader {
    public static void main(String[] words) throws Exception {
        // The mappers of the generated clients do the same.
        ObjectMapper mapper = new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] parts = line.split("\t");
            try {
                Object read = mapper.readValue(parts[1], Class.forName(words[0] + "." + parts[0]));
                output.println("ok\t" + mapper.writeValueAsString(read));
            } catch (Exception error) {
                output.println("error\t" + error.toString().replaceAll("\\s+", " "));
            }
        }
    }
}
