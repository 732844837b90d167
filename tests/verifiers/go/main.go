// Verdicts of avalanchego's own package on signed warp messages: a line of standard input is one message with its set
// of validators, and has one line of output, `accepted` or `refused: ` and why.
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/ava-labs/avalanchego/ids"
	"github.com/ava-labs/avalanchego/snow/validators"
	"github.com/ava-labs/avalanchego/utils/crypto/bls"
	"github.com/ava-labs/avalanchego/vms/platformvm/warp"
)

// A line: network, numerator, denominator, validators as KEY:WEIGHT with commas between (`-` where one has no key), and
// the signed message; bytes in hexadecimal.
func verify(line string) error {
	fields := strings.Fields(line)
	if len(fields) != 5 {
		return fmt.Errorf("expected 5 fields, got %d", len(fields))
	}
	network, err := strconv.ParseUint(fields[0], 10, 32)
	if err != nil {
		return err
	}
	numerator, err := strconv.ParseUint(fields[1], 10, 64)
	if err != nil {
		return err
	}
	denominator, err := strconv.ParseUint(fields[2], 10, 64)
	if err != nil {
		return err
	}
	set, err := setOf(fields[3])
	if err != nil {
		return err
	}
	bytes, err := hex.DecodeString(fields[4])
	if err != nil {
		return err
	}
	message, err := warp.ParseMessage(bytes)
	if err != nil {
		return err
	}
	return message.Signature.Verify(&message.UnsignedMessage, uint32(network), set, numerator, denominator)
}

func setOf(field string) (validators.WarpSet, error) {
	outputs := map[ids.NodeID]*validators.GetValidatorOutput{}
	for index, one := range strings.Split(field, ",") {
		keyText, weightText, _ := strings.Cut(one, ":")
		weight, err := strconv.ParseUint(weightText, 10, 64)
		if err != nil {
			return validators.WarpSet{}, err
		}
		node := ids.NodeID{byte(index >> 8), byte(index)}
		output := &validators.GetValidatorOutput{NodeID: node, Weight: weight}
		if keyText != "-" {
			keyBytes, err := hex.DecodeString(keyText)
			if err != nil {
				return validators.WarpSet{}, err
			}
			if output.PublicKey, err = bls.PublicKeyFromCompressedBytes(keyBytes); err != nil {
				return validators.WarpSet{}, err
			}
		}
		outputs[node] = output
	}
	return validators.FlattenValidatorSet(outputs)
}

func main() {
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<26)
	for input.Scan() {
		if err := verify(input.Text()); err != nil {
			fmt.Printf("refused: %s\n", strings.ReplaceAll(err.Error(), "\n", " "))
		} else {
			fmt.Println("accepted")
		}
	}
	if err := input.Err(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
